/// What a recording file says about itself, so that an index can be made anew from the files alone.
public struct RecordingHead: Sendable, Codable, Equatable {
  /// When the first picture was taken, UTC milliseconds, 0 or later.
  public var startTime: Int64
  /// 1...65,535.
  public var cameraNo: Int
  public var stream: MediaStream
  /// Why it was recorded, such as `continuous` or `event`; at most 64 bytes of UTF-8.
  public var kind: String
  /// The samples are sealed: only who has the key can show them.
  public var isEncrypted: Bool
  /// The device it was recorded on; at most 64 bytes of UTF-8.
  public var deviceSerial: String?

  public init(
    startTime: Int64, cameraNo: Int, stream: MediaStream, kind: String, isEncrypted: Bool = false,
    deviceSerial: String? = nil
  ) {
    self.startTime = startTime
    self.cameraNo = cameraNo
    self.stream = stream
    self.kind = kind
    self.isEncrypted = isEncrypted
    self.deviceSerial = deviceSerial
  }
}

/// The box in moov that holds the head; what is appended to it later is passed over by older readers.
extension RecordingHead {
  static let version: UInt8 = 1
  static let textLimit = 64
  /// The name of the box, drawn once at random (RFC 9562 version 4).
  static let identifier: [UInt8] = [
    0x6F, 0x72, 0x69, 0x65, 0x6C, 0x72, 0x4E, 0x1D, 0x9A, 0x37, 0x5C, 0x82, 0xE4, 0x0B, 0x71, 0xD6,
  ]

  func box() -> [UInt8] {
    var builder = BoxBuilder()
    builder.box("uuid") { box in
      box.raw(Self.identifier)
      box.u8(Self.version)
      box.u8(isEncrypted ? 1 : 0)
      box.u64(Int(min(max(startTime, 0), Self.latestTime)))
      box.u16(min(max(cameraNo, 1), 0xFFFF))
      box.u8(UInt8(stream.rawValue))
      for text in [kind, deviceSerial ?? ""] {
        let bytes = text.unicodeScalars.reduce(into: [UInt8]()) { bytes, scalar in
          let more = Array(String(scalar).utf8)
          if bytes.count + more.count <= Self.textLimit { bytes += more }
        }
        box.u8(UInt8(bytes.count))
        box.raw(bytes)
      }
    }
    return builder.bytes
  }

  /// Reads what is behind the identifier.
  init(_ reader: inout BoxReader) throws {
    guard try reader.u8() == Self.version else {
      throw MediaFailure.unsupported("a recording of a newer version")
    }
    let flags = try reader.u8()
    let start = try reader.u64()
    let camera = try reader.u16()
    guard let stream = MediaStream(rawValue: Int(try reader.u8())), start <= UInt64(Self.latestTime),
      camera > 0
    else { throw MediaFailure.malformed("the head of a recording") }
    var texts: [String] = []
    for _ in 0..<2 {
      let count = Int(try reader.u8())
      guard count <= Self.textLimit, let text = String(validating: try reader.bytes(count), as: UTF8.self)
      else { throw MediaFailure.malformed("the head of a recording") }
      texts.append(text)
    }
    self.init(
      startTime: Int64(start), cameraNo: Int(camera), stream: stream, kind: texts[0],
      isEncrypted: flags & 1 != 0, deviceSerial: texts[1].isEmpty ? nil : texts[1])
  }

  /// The year 9999: later times are no times.
  static let latestTime: Int64 = 253_402_300_799_999
}
