import OrielModel

/// What a viewer may ask about a camera's recordings beside watching them: `mediaInfo` and `mediaInfoStartTime` of
/// IVSDK's playback messages.
enum PlaybackInquiry {
  static func answer(
    _ message: PlaybackMessage, _ media: any RecordedMedia, _ cameraNo: Int
  ) async -> PlaybackMessage {
    var answer = PlaybackMessage(action: message.action)
    answer.requestId = message.requestId
    do {
      if message.action == .mediaInfoStartTime {
        answer.startTime = try await media.startTime(of: cameraNo).map { $0 / 1000 }
        if answer.startTime == nil { answer.errorCode = ErrorCode.recordNotFound.rawValue }
      } else {
        let (from, to) = (message.startTime ?? 0, message.endTime ?? Int64.max / 1000)
        guard from < to, from >= 0, to <= Int64.max / 1000 else {
          answer.errorCode = ErrorCode.playbackRange.rawValue
          return answer
        }
        (answer.startTime, answer.endTime) = (message.startTime, message.endTime)
        answer.list = try await media.stretches(of: cameraNo, from: from * 1000, to: to * 1000).map {
          PlaybackMediaInfo(start: $0.lowerBound / 1000, end: ($0.upperBound + 999) / 1000)
        }
      }
    } catch {
      answer.errorCode = (error as? OrielError)?.number ?? ErrorCode.recordDamaged.rawValue
    }
    return answer
  }
}
