/// What a camera's radio and sensors say: JSON text on the data channel of a session, when there is something to say.
public struct SensorReading: Sendable, Codable, Equatable {
  /// The value of `type`.
  public static let type = "sensors"

  public var type: String
  /// Wi-Fi signal, dBm.
  public var rssi: Int?
  /// Degrees Celsius.
  public var temperature: Double?
  /// Relative, per cent.
  public var humidity: Double?

  public init(rssi: Int? = nil, temperature: Double? = nil, humidity: Double? = nil) {
    type = Self.type
    self.rssi = rssi
    self.temperature = temperature
    self.humidity = humidity
  }

  public var isEmpty: Bool { rssi == nil && temperature == nil && humidity == nil }
}
