import OrielMedia
import OrielModel

/// What a playback session finds.
extension RecordingStore: RecordedMedia {
  nonisolated func archive(of cameraNo: Int) -> any PlaybackArchive {
    StoreArchive(store: self, cameraNo: cameraNo)
  }

  func stretches(of cameraNo: Int, from: Int64, to: Int64) throws -> [Range<Int64>] {
    var joined: [Range<Int64>] = []
    // Of both kinds: they follow each other as one.
    let page = try files(RecordQuery(cameraNo: cameraNo, from: from, to: to, form: .stretches))
    for file in page.files {
      if let last = joined.last, file.startTime - last.upperBound <= Self.joinLimit {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, file.endTime)
      } else {
        joined.append(file.startTime..<file.endTime)
      }
    }
    return joined
  }

  func startTime(of cameraNo: Int) throws -> Int64? { try startTime(of: cameraNo, stream: .main) }

  func hasSubStream(_ cameraNo: Int) -> Bool {
    ((try? index.last(startingUntil: .max, cameraNo, .sub)) ?? nil) != nil
  }
}

/// One camera's recordings in a store.
struct StoreArchive: PlaybackArchive {
  let store: RecordingStore
  let cameraNo: Int

  /// Files in a row that cannot be opened and are passed over: some days of minutes.
  static let skipLimit = 10_000

  func recording(covering time: Int64, stream: MediaStream, except: String?) async throws
    -> (any ReadableRecording)?
  {
    let found = try await lookUp { try await $0.file(covering: time, cameraNo: cameraNo, stream: stream) }
    guard let found, found.id != except else { return nil }
    return await open(found)
  }

  func recording(after time: Int64, stream: MediaStream, except: String?) async throws
    -> (any ReadableRecording)?
  {
    var from = time
    for _ in 0..<Self.skipLimit where !Task.isCancelled {
      let start = from
      guard
        let found = try await lookUp({ try await $0.file(after: start, cameraNo: cameraNo, stream: stream) })
      else { return nil }
      if found.id != except, let recording = await open(found) { return recording }
      from = found.startTime + 1
    }
    return nil
  }

  private func lookUp(_ body: (RecordingStore) async throws -> StoredRecording?) async throws
    -> StoredRecording?
  {
    do { return try await body(store) } catch {
      throw PlaybackFailure.number((error as? OrielError)?.number ?? ErrorCode.recordDamaged.rawValue)
    }
  }

  /// nil when it is gone or damaged: what follows can be shown all the same.
  private func open(_ recording: StoredRecording) async -> (any ReadableRecording)? {
    guard let file = try? RecordingFile(path: recording.path),
      let map = try? await FragmentMap.read(from: file)
    else { return nil }
    return try? FragmentedRecording(
      id: recording.id, source: file, map: map, isGrowing: recording.isGrowing)
  }
}
