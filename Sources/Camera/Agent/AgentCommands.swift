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
    case .findRecordings, .recordedPicture, .lockRecordings, .recordEvent:
      CommandResult(id: command.id, errorCode: ErrorCode.commandNotSupported.rawValue)
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
