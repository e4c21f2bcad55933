public import Foundation
import OrielKit
import OrielModel

/// A region that people choose before they sign in.
public final class EZAreaInfo: NSObject {
  public var id = 0
  public var name: String!
  public var region: String!
  public var telephoneCode = 0

  public override init() { super.init() }

  convenience init(_ area: PlatformDescription.Area) {
    self.init()
    id = area.id
    name = area.name
    region = area.region ?? area.name
    telephoneCode = area.telephoneCode ?? 0
  }
}

/// The right to act for an account.
public final class EZAccessToken: NSObject {
  public var accessToken: String!
  /// When it ends, milliseconds since 1970.
  public var expire = 0

  public override init() { super.init() }

  convenience init(_ token: AccessToken) {
    self.init()
    accessToken = token.accessToken
    expire = Int(token.expireTime)
  }

  /// The token stays out of logs.
  public override var description: String { "access token" }
}

extension EZBaseSDK {
  /// Opens the sign-in page of an area's platform in a browser. From then on that platform is used, and the token is
  /// renewed by itself, also while players run.
  /// - Parameter completion: the token, or nil when nobody signed in within five minutes.
  static func signIn(areaId: String?, _ completion: ((EZAccessToken?) -> Void)?) -> EZTask {
    EZTask {
      try await EZLibrary.signIn(areaId: areaId)
    } completion: { token, error in
      if let error { Log("ezopensdk").error("openLoginPage: \(error)") }
      completion?(token.map { EZAccessToken($0) })
    }
  }
}

extension EZGlobalSDK {
  /// The areas to choose from.
  /// - Parameter completion: `EZAreaInfo`s, and error.
  @discardableResult
  public class func getAreaList(_ completion: (([Any]?, (any Error)?) -> Void)!) -> EZTask! {
    EZTask {
      try await EZLibrary.areas()
    } completion: { areas, error in
      completion?(areas.map { $0.map { EZAreaInfo($0) } }, error)
    }
  }

  /// Opens the sign-in page of an area. As the manual has it: a token in the block means that somebody signed in.
  @discardableResult
  public class func openLoginPage(_ areaId: String!, completion: ((EZAccessToken?) -> Void)!) -> EZTask! {
    signIn(areaId: areaId, completion)
  }
}

extension EZOpenSDK {
  /// Opens the platform's sign-in page.
  @discardableResult
  public class func openLoginPage(_ completion: ((EZAccessToken?) -> Void)!) -> EZTask! {
    signIn(areaId: nil, completion)
  }
}
