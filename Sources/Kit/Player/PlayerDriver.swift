import OrielMedia
import OrielModel
import OrielRTC
import Synchronization

@RTCActor
final class PlayerDriver {
  nonisolated let receivedBytes = Atomic<UInt64>(0)

  nonisolated init(
    link: ViewerLink, serial: DeviceSerial, cameraNo: Int, options: PlayerOptions, outlet: PlayerOutlet
  ) {}

  func perform(_ command: PlayerCommand) {
    switch command {
    case .startRecording(_, let continuation): continuation.resume(throwing: OrielError(.noPicture))
    case .stopRecording(let continuation): continuation.resume(throwing: OrielError(.nothingRecorded))
    default: break
    }
  }

  func release() {}
  func statistics() -> PlayerStatistics { PlayerStatistics() }
}
