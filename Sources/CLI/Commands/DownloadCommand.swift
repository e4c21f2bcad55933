import Foundation
import OrielKit
import OrielModel

extension CommandDescription {
  static let download = CommandDescription(
    "download", operands: "SERIAL[:CAMERA] FILE.mp4", operandCount: 2...2,
    summary: "fetch what was recorded as one MP4 file",
    details: """
      Every picture and sound as it was recorded, as fast as the line gives them. Gaps are left out of the file's time.

        oriel download O12345678 door.mp4 --from 18:30 --to 18:35
        oriel download O12345678 night.mp4 --from 2026-11-30T22:00 --to 2026-12-01T06:00 --cloud

      A time is \(PointInTime.forms).
      """,
    options: [
      .value("from", "TIME", "where to begin; needed"), .value("to", "TIME", "where to end; needed"),
      .flag("cloud", "from the cloud"), .flag("device", "from the camera's own storage (this)"),
      .value("server", "ADDRESS", "another platform than that of `oriel login`"), .json,
    ],
    run: DownloadCommand.run)
}

enum DownloadCommand {
  private struct Answer: Encodable {
    let file: String
    let seconds: Double
    let pictures: Int
    let bytes: Int64
  }

  @Sendable static func run(_ arguments: Arguments) async throws {
    let output = Output(arguments)
    let (serial, cameraNo) = try CameraName.parse(arguments.operands[0])
    let path = arguments.operands[1]
    let range = try PlaybackCommand.range(arguments)
    guard range.to != nil else { throw UsageError(message: "`oriel download` needs --to TIME.") }
    let session = try SignedIn.session(arguments)
    let line = PercentLine("Downloading")
    do {
      let work = Task {
        try await session.download(of: serial, cameraNo: cameraNo, range: range, to: path) {
          line.show($0.fraction)
        }
      }
      // What was begun is removed; the command ends as interrupted.
      let watch = Task {
        await Interruption.wait()
        work.cancel()
      }
      defer { watch.cancel() }
      let summary: ClipSummary
      do { summary = try await work.value } catch let error as OrielError where error.code == .cancelled {
        throw CancellationError()
      }
      line.end()
      await session.close()
      try output.answer(
        Answer(
          file: path, seconds: summary.duration / .seconds(1), pictures: summary.pictures, bytes: summary.size
        ),
        text:
          "\(path): \(summary.duration.formatted()), \(String(format: "%.1f MB", Double(summary.size) / 1e6))."
      )
    } catch {
      line.end()
      await session.close()
      throw error
    }
  }
}
