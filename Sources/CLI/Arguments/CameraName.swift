import OrielModel

/// A camera as people write it: `SERIAL` or `SERIAL:NUMBER`.
enum CameraName {
  static func parse(_ text: String) throws -> (DeviceSerial, Int) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let serial = try DeviceSerial(parts[0])
    guard parts.count <= 2, let cameraNo = parts.count == 2 ? Int(parts[1]) : 1, cameraNo >= 1 else {
      throw UsageError(message: "A camera is written SERIAL or SERIAL:NUMBER, counted from 1.")
    }
    return (serial, cameraNo)
  }
}
