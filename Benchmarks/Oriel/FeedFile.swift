import Foundation
import OrielMedia

/// The encoded pictures that all sides of a measurement are fed.
enum FeedFile {
  /// Splits a byte stream with one slice a picture at its slices.
  static func accessUnits(ofFile path: String) throws -> [AccessUnit] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var starts: [Int] = []
    var index = 0
    while index + 3 < bytes.count {
      if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        starts.append(index)
        index += 3
      } else {
        index += 1
      }
    }
    var units: [AccessUnit] = []
    var begin = 0
    for (position, start) in starts.enumerated() {
      let type = bytes[start + 3] & 31
      guard type == 1 || type == 5 else { continue }
      let end = position + 1 < starts.count ? starts[position + 1] : bytes.count
      units.append(
        AccessUnit(
          codec: .h264, isKeyFrame: type == 5, timestamp: .zero, captureTime: 0,
          bytes: Array(bytes[begin..<end])))
      begin = end
    }
    return units
  }
}
