import Foundation
public import OrielModel

/// What happens to an agent, for the program that runs it to show.
public enum AgentEvent: Sendable, Equatable {
  /// The platform has registered the device.
  case online
  /// The link to the platform is down; views that run go on. The next try comes by itself.
  case offline(OrielError, retryIn: Duration)
  /// A camera's description changed.
  case camera(CameraRecord)
  /// How many viewers the device serves now.
  case viewers(Int)
  /// A camera cannot record, with the number of why; nil: it records again.
  case recording(cameraNo: Int, OrielError?)
}

extension AgentEvent: CustomStringConvertible {
  /// A plain line, without secrets.
  public var description: String {
    switch self {
    case .online: "online: the platform has registered the device"
    case .offline(let error, let delay):
      "offline: \(error); next try in \(delay.formatted(.units(allowed: [.seconds, .milliseconds], maximumUnitCount: 1)))"
    case .camera(let record):
      "camera \(record.cameraNo) (\(record.name)): "
        + [record.mainStream, record.delivery.map { $0 == .passedOn ? "passed on" : "encoded" }, record.note]
        .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
    case .recording(let cameraNo, let error?): "camera \(cameraNo) does not record: \(error)"
    case .recording(let cameraNo, nil): "camera \(cameraNo) records"
    case .viewers(let count): count == 1 ? "1 viewer" : "\(count) viewers"
    }
  }
}
