import Foundation
import OrielModel
import Testing

@testable import OrielCamera

@Suite struct SensorsTests {
  private func machine(_ files: [String: String]) throws -> String {
    let root = NSTemporaryDirectory() + "oriel-sensors-" + UUID().uuidString
    for (path, text) in files {
      let file = URL(fileURLWithPath: root + path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return root
  }

  @Test func radioAndSensorsAreReadAsLinuxTellsThem() throws {
    let root = try machine([
      "/proc/net/wireless": """
      Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
       face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
       wlan0: 0000   52.  -58.  -256        0      0      0      0     45        0
      """,
      "/sys/bus/iio/devices/iio:device0/in_temp_input": "21437\n",
      "/sys/bus/iio/devices/iio:device1/in_humidityrelative_input": "48250\n",
    ])
    defer { try? FileManager.default.removeItem(atPath: root) }
    #expect(Sensors(root: root).read() == SensorReading(rssi: -58, temperature: 21.437, humidity: 48.25))
  }

  @Test func aMachineWithoutThemSaysNothing() throws {
    #expect(Sensors(root: "/nowhere").read().isEmpty)
    let root = try machine([
      "/proc/net/wireless": "a\nb\n wlan0: x y z\n", "/sys/bus/iio/devices/d/in_temp_input": "warm",
    ])
    defer { try? FileManager.default.removeItem(atPath: root) }
    #expect(Sensors(root: root).read().isEmpty)
  }
}
