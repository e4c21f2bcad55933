public import Foundation
import OrielKit
public import OrielModel

/// Sound, pictures, clips: of the first lens.
extension LiveViewModel {
  /// Plays the camera's sound, or not.
  public func enableAudio(value: Bool) {
    isAudioOn = value
    if value { player?.openSound() } else { player?.closeSound() }
  }

  /// Talks with who stands before the camera, or ends that. A microphone that is refused, a line that is busy and the
  /// like are in `lastError`, and the microphone is off again.
  public func enableMic(value: Bool) {
    isMicOn = value
    if value { player?.startTalk() } else { player?.stopTalk() }
  }

  /// The picture that is shown.
  /// - Parameters:
  ///   - size: for the manual's spelling; the picture has the camera's size.
  ///   - snapshot: gets a JPEG, or the error: 720004 before the first picture.
  public func captureSnapshot(size: CGSize = .zero, snapshot: (Result<Data, OrielError>) -> Void) {
    do {
      guard let player else { throw OrielError(.noPicture) }
      snapshot(.success(Data(try player.captureJPEG())))
    } catch {
      snapshot(.failure(error as? OrielError ?? OrielError(.noPicture)))
    }
  }

  /// Records to an MP4 file, from the next key frame on.
  /// - Parameters:
  ///   - size: for the manual's spelling; the clip has the camera's size.
  ///   - fileName: a path; a bare name is put into the temporary folder.
  public func startRecording(size: CGSize = .zero, fileName: String) {
    guard let player, !isRecordingLiveView else { return }
    isRecordingLiveView = true
    let path =
      fileName.contains("/")
      ? fileName : FileManager.default.temporaryDirectory.appendingPathComponent(fileName).path
    Task { [weak self] in
      do { try await player.startRecording(to: path) } catch {
        self?.isRecordingLiveView = false
        self?.lastError = error as? OrielError
      }
    }
  }

  /// Ends the recording.
  /// - Parameter completion: on the main thread: the file's `file:` address, or the error (720003 when nothing was
  ///   recorded).
  public func stopRecording(completion: @escaping @MainActor (Result<String, OrielError>) -> Void) {
    isRecordingLiveView = false
    guard let player else { return completion(.failure(OrielError(.nothingRecorded))) }
    Task {
      do {
        let clip = try await player.stopRecording()
        completion(.success(URL(fileURLWithPath: clip.path).absoluteString))
      } catch {
        completion(.failure(error as? OrielError ?? OrielError(.nothingRecorded)))
      }
    }
  }
}
