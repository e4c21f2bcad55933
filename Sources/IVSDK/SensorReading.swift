import Foundation
import OrielModel

/// What a camera's radio and sensors say on the data channel.
extension SensorReading {
  /// Nil when the bytes are another message.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= 4096, let reading = try? JSONDecoder().decode(SensorReading.self, from: Data(bytes)),
      reading.type == Self.type
    else { return nil }
    self = reading
  }
}
