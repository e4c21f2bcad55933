/// Viewer to platform, first message of a viewer link: the token stays out of the address and its logs.
public struct Authentication: Sendable, Codable, Equatable {
  public var accessToken: String

  public init(accessToken: String) { self.accessToken = accessToken }
}

/// Platform to viewer: something about a device of the account changed.
public struct DeviceEvent: Sendable, Codable, Equatable {
  public enum Kind: String, Sendable, Codable {
    case online, offline, changed, added, removed
  }

  public var kind: Kind
  public var serial: DeviceSerial
  /// UTC milliseconds.
  public var time: Int64

  public init(kind: Kind, serial: DeviceSerial, time: Int64) {
    self.kind = kind
    self.serial = serial
    self.time = time
  }
}
