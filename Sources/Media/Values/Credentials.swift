/// User and password of a camera. Describes itself without them, so that it may be logged by mistake.
public struct Credentials: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public let user: String
  public let password: String

  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  public var description: String { "******" }
  public var debugDescription: String { "******" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
