import OrielModel

/// What the platform takes of a device's report about itself.
enum ReportLimits {
  static let cameras = 64
  /// Bytes of a name, a model or a version.
  static let name = 100
  /// Bytes of a description of a stream, or of a note.
  static let text = 300

  /// The report in the form that is kept: cameras in order, no addresses of covers, which are the platform's.
  /// - Returns: nil when it breaks a limit.
  static func accept(_ report: DeviceReport) -> DeviceReport? {
    var report = report
    report.cameras.sort { $0.cameraNo < $1.cameraNo }
    let numbers = report.cameras.map(\.cameraNo)
    guard report.cameras.count <= cameras, Set(numbers).count == numbers.count,
      numbers.allSatisfy({ (1...999).contains($0) }),
      [report.name, report.model, report.version].allSatisfy({ isClean($0, name) })
    else { return nil }
    for index in report.cameras.indices {
      let camera = report.cameras[index]
      guard isClean(camera.name, name), isClean(camera.mainStream, text), isClean(camera.subStream, text),
        isClean(camera.note ?? "", text)
      else { return nil }
      report.cameras[index].coverURL = nil
    }
    return report
  }

  /// No control characters, which would forge lines of a log or end a C string.
  private static func isClean(_ value: String, _ limit: Int) -> Bool {
    value.utf8.count <= limit && value.unicodeScalars.allSatisfy { !$0.isInvisibleControl }
  }
}
