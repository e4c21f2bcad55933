public import OrielModel

/// A device, as the second manual's models hand it over.
public struct DeviceModel: Sendable, Equatable, Identifiable {
  public enum Status: String, Sendable { case online, offline }

  /// The serial.
  public var id: String
  public var name: String
  /// The account.
  public var spaceId: String
  public var status: Status
  public var modelName: String
  public var firmwareVersion: String

  public init(_ record: DeviceRecord, spaceId: String) {
    id = record.serial.value
    name = record.name
    self.spaceId = spaceId
    status = record.status == .online ? .online : .offline
    modelName = record.model
    firmwareVersion = record.version
  }

  public var displayName: String { name.isEmpty ? id : name }
}
