import Foundation
import OrielModel

extension CameraAgent {
  /// How long `capture` waits for a new key frame before it takes the latest.
  static let captureWait = Duration.seconds(1)

  func execute(_ command: Command) async -> CommandResult {
    switch command.request {
    case .proveCode(let text): CommandResult(id: command.id, errorCode: prove(text))
    case .setVideoLevel(let cameraNo, let level):
      CommandResult(id: command.id, errorCode: await set(level, of: cameraNo))
    case .capture(let cameraNo): await capture(cameraNo, id: command.id)
    case .findRecordings(let query):
      await recorded(command.id) {
        CommandResult(id: command.id, recordings: try await $0.store.files(query))
      }
    case .recordedPicture(let cameraNo, let time):
      await recorded(command.id) { recording in
        let bytes = try await recording.store.jpeg(at: time, cameraNo: cameraNo)
        return CommandResult(id: command.id, jpeg: Data(bytes).base64EncodedString())
      }
    case .lockRecordings(let cameraNo, let from, let to, let isLocked):
      await recorded(command.id) { recording in
        guard from < to else { throw OrielError(.argumentError) }
        try await recording.store.lock(from..<to, cameraNo: cameraNo, isLocked: isLocked)
        return CommandResult(id: command.id)
      }
    case .recordEvent(let cameraNo, let name):
      await recorded(command.id) { recording in
        guard self.unit(cameraNo) != nil else { throw OrielError(.cameraNotFound) }
        guard !name.isEmpty, name.utf8.count <= RecordedEvent.nameLimit else {
          throw OrielError(.argumentError)
        }
        recording.note(event: name, cameraNo: cameraNo)
        return CommandResult(id: command.id)
      }
    }
  }

  private func recorded(_ id: String, _ body: (AgentRecording) async throws -> CommandResult) async
    -> CommandResult
  {
    guard let recording else { return CommandResult(id: id, errorCode: ErrorCode.recordingOff.rawValue) }
    do {
      try await recording.store.prepare()
      return try await body(recording)
    } catch {
      return CommandResult(
        id: id, errorCode: (error as? OrielError)?.number ?? ErrorCode.recordDamaged.rawValue)
    }
  }

  /// 0 when the text is the label's code. Compared in constant time; wrong ones are counted, never logged.
  private func prove(_ text: String) -> Int {
    guard codeGuard.allows(at: timing.now()) else {
      log.warning("too many wrong verification codes")
      return ErrorCode.tooFrequent.rawValue
    }
    if let code = try? VerificationCode(text), code == identity.code { return 0 }
    codeGuard.noteWrong()
    return ErrorCode.wrongVerificationCode.rawValue
  }

  private func set(_ level: VideoLevel, of cameraNo: Int) async -> Int {
    guard let unit = unit(cameraNo) else { return ErrorCode.cameraNotFound.rawValue }
    keep(level, of: cameraNo)
    await unit.setVideoLevel(level)
    return 0
  }

  private func capture(_ cameraNo: Int, id: String) async -> CommandResult {
    guard let unit = unit(cameraNo) else {
      return CommandResult(id: id, errorCode: ErrorCode.cameraNotFound.rawValue)
    }
    guard let keyFrame = await unit.freshKeyFrame(within: Self.captureWait),
      let bytes = try? await CoverPicture.jpeg(of: keyFrame)
    else { return CommandResult(id: id, errorCode: ErrorCode.captureFailed.rawValue) }
    return CommandResult(id: id, jpeg: Data(bytes).base64EncodedString())
  }

  private func unit(_ cameraNo: Int) -> CameraUnit? { units.first { $0.cameraNo == cameraNo } }

  /// Sends the camera's cover as soon as there are picture and link, and again every interval.
  func keepCover(of unit: CameraUnit) async {
    while !Task.isCancelled {
      var pause = Duration.milliseconds(500)
      if await link?.isOnline == true, let keyFrame = await unit.freshKeyFrame(within: .seconds(5)),
        let bytes = try? await CoverPicture.jpeg(of: keyFrame)
      {
        link?.send(.cover(Cover(cameraNo: unit.cameraNo, jpeg: Data(bytes).base64EncodedString())))
        pause = configuration.coverInterval
      }
      guard (try? await timing.sleep(pause)) != nil else { return }
    }
  }
}
