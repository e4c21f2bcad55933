import OrielMedia
import OrielModel

/// The recordings of a range, one after the other, wherever they come from.
protocol DownloadedFiles: Sendable {
  /// - Returns: the next one; nil when that was all.
  /// - Throws: `OrielError`.
  func next() async throws -> (source: any RangeSource, map: FragmentMap)?
}

/// From the cloud: a file is read piece by piece while it is written.
actor CloudFiles: DownloadedFiles {
  private let session: Session
  private let archive: CloudArchive
  private let window: Range<Int64>
  private var position: Int64
  private var waiting: [RecordFile] = []
  private var seen: Set<String> = []

  static let page = 100

  init(session: Session, serial: DeviceSerial, cameraNo: Int, window: Range<Int64>) {
    self.session = session
    self.window = window
    position = window.lowerBound
    archive = CloudArchive(session: session, serial: serial, cameraNo: cameraNo)
  }

  func next() async throws -> (source: any RangeSource, map: FragmentMap)? {
    while true {
      if waiting.isEmpty, position < window.upperBound {
        waiting = try await archive.files(from: position, to: window.upperBound, limit: Self.page)
          .filter { seen.insert($0.fileId).inserted }
      }
      guard !waiting.isEmpty else { return nil }
      let file = waiting.removeFirst()
      position = max(position + 1, file.endTime)
      do { return try await CloudRecording.open(file, of: session) } catch let error as OrielError
        where error.code == .recordNotFound
      {
        // Deleted meanwhile.
        continue
      }
    }
  }
}

/// From a device: whole files over the data channel of a playback session.
actor DeviceFiles: DownloadedFiles {
  private let player: Player
  private let inputs: AsyncStream<Input>
  private let feed: AsyncStream<Input>.Continuation

  private enum Input: Sendable {
    case channel(Bool)
    case message([UInt8])
    case piece([UInt8])
    case failed(OrielError)
  }

  /// Bytes of one file: a minute at 30 Mbit/s, which is held in memory.
  static let fileLimit: Int64 = 256 << 20

  init(player: Player) {
    self.player = player
    (inputs, feed) = AsyncStream.makeStream()
  }

  /// Asks the device.
  func start() async throws {
    let feed = feed
    player.onEvent { event in
      switch event {
      case .failed(let error): feed.yield(.failed(error))
      // The files that were under way are lost with the session.
      case .reconnecting: feed.yield(.failed(OrielError(.connectionLost)))
      default: break
      }
    }
    player.onChannel(
      opened: { feed.yield(.channel($0)) }, message: { feed.yield(.message($0)) },
      piece: { feed.yield(.piece($0)) },
      ended: { feed.yield(.failed(OrielError(.connectionLost))) })
    player.start()
    for await input in inputs {
      switch input {
      case .failed(let error): throw error
      case .channel(true):
        guard let text = PlaybackMessage(action: .fetch).text else { throw OrielError(.argumentError) }
        return player.yield(.send(text))
      default: break
      }
    }
    throw CancellationError()
  }

  func next() async throws -> (source: any RangeSource, map: FragmentMap)? {
    var file: (size: Int64, bytes: [UInt8])?
    for await input in inputs {
      switch input {
      case .failed(let error): throw error
      case .channel: break
      case .piece(let bytes):
        guard let started = file, Int64(started.bytes.count + bytes.count) <= started.size else {
          throw OrielError(.recordDamaged)
        }
        file?.bytes += bytes
        guard let whole = file, Int64(whole.bytes.count) == whole.size else { continue }
        let source = MemorySource(bytes: whole.bytes)
        return (source, try await FragmentMap.read(from: source))
      case .message(let bytes):
        guard let message = PlaybackMessage(bytes) else { continue }
        if message.action == .playbackEnd {
          let number = message.errorCode ?? 0
          guard number == 0 else { throw OrielError(ErrorCode(rawValue: number) ?? .streamInnerError) }
          return nil
        }
        guard message.action == .fetch, let size = message.size else { continue }
        guard size > 0, size <= Self.fileLimit else { throw OrielError(.recordDamaged) }
        file = (size, [])
      }
    }
    throw CancellationError()
  }

  nonisolated func stop() {
    player.onChannel(opened: nil, message: nil, ended: nil)
    player.onEvent(nil)
    feed.finish()
  }
}

/// A file that came whole.
struct MemorySource: RangeSource {
  let bytes: [UInt8]

  var size: Int64 { Int64(bytes.count) }

  func read(_ range: Range<Int64>) -> [UInt8] {
    let part = range.clamped(to: 0..<size)
    return Array(bytes[Int(part.lowerBound)..<Int(part.upperBound)])
  }
}
