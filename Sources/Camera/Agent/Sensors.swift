import Foundation
import OrielModel

/// What this machine's radio and sensors say, as Linux tells it in files.
struct Sensors: Sendable {
  /// In front of every path; for tests.
  var root = ""

  static let interval = Duration.seconds(5)
  /// Bytes of a file that is looked at.
  static let fileLimit = 4096

  func read() -> SensorReading {
    SensorReading(
      rssi: rssi(), temperature: iio("in_temp_input").map { $0 / 1000 },
      humidity: iio("in_humidityrelative_input").map { $0 / 1000 })
  }

  /// The level of the first interface in `/proc/net/wireless`, dBm.
  private func rssi() -> Int? {
    guard let text = text("/proc/net/wireless") else { return nil }
    for line in text.split(separator: "\n").dropFirst(2) {
      let columns = line.split(separator: " ")
      guard columns.count > 3, columns[0].hasSuffix(":") else { continue }
      let digits = columns[3].prefix { $0.isNumber || $0 == "-" }
      if let level = Int(digits), (-120...0).contains(level) { return level }
    }
    return nil
  }

  /// A value of the industrial I/O subsystem, in thousandths.
  private func iio(_ name: String) -> Double? {
    let folder = "/sys/bus/iio/devices"
    let devices = (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
    for device in devices.sorted() {
      guard let text = text("\(folder)/\(device)/\(name)") else { continue }
      if let value = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)), abs(value) < 1e6 {
        return value
      }
    }
    return nil
  }

  private func text(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: root + path) else { return nil }
    defer { try? file.close() }
    return (try? file.read(upToCount: Self.fileLimit)).map { String(decoding: $0, as: UTF8.self) }
  }
}
