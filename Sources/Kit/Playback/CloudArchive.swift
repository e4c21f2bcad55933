import Foundation
import OrielMedia
import OrielModel

/// A camera's recordings in the cloud, read over HTTP: of a file only the pieces that are shown.
struct CloudArchive: PlaybackArchive {
  let session: Session
  let serial: DeviceSerial
  let cameraNo: Int

  /// Files in a row that cannot be read and are passed over, and how many are asked for at once.
  static let skipLimit = 512
  static let pageLimit = 32
  /// The end of time for a question, UTC milliseconds.
  static let latest: Int64 = 253_402_300_799_999

  func recording(covering time: Int64, stream: MediaStream, except: String?) async throws
    -> (any ReadableRecording)?
  {
    let found = try await files(from: time, to: time + 1, limit: 1).first
    guard let found, found.fileId != except else { return nil }
    return try await open(found)
  }

  func recording(after time: Int64, stream: MediaStream, except: String?) async throws
    -> (any ReadableRecording)?
  {
    var from = time
    for _ in 0..<Self.skipLimit / Self.pageLimit where !Task.isCancelled {
      let page = try await files(from: from, to: Self.latest, limit: Self.pageLimit)
      for file in page where file.startTime >= time && file.fileId != except {
        if let recording = try await open(file) { return recording }
      }
      guard let last = page.last, page.count == Self.pageLimit, last.endTime > from else { return nil }
      from = last.endTime
    }
    return nil
  }

  /// What lies between two UTC milliseconds, in the order of time.
  func files(from: Int64, to: Int64, limit: Int) async throws -> [RecordFile] {
    do {
      return try await session.recordPage(
        of: serial, cameraNo: cameraNo, from: from, to: to, store: .cloud, form: .files, kind: nil,
        limit: limit
      ).files
    } catch { throw PlaybackFailure.number(OrielError(anyError: error).number) }
  }

  /// nil when it cannot be read: what follows can be shown all the same.
  private func open(_ file: RecordFile) async throws -> (any ReadableRecording)? {
    do {
      let (source, map) = try await CloudRecording.open(file, of: session)
      return try FragmentedRecording(id: file.fileId, source: source, map: map, isGrowing: false)
    } catch let error as OrielError where error.code == .recordDamaged || error.code == .recordNotFound {
      return nil
    } catch is MediaFailure {
      return nil
    } catch let error as PlaybackFailure {
      if error == .unreadable { return nil }
      throw error
    } catch { throw PlaybackFailure.number(OrielError(anyError: error).number) }
  }
}

/// One file of the cloud, by its signed address.
struct CloudRecording: RangeSource {
  let client: PlatformClient
  let path: String
  let length: Int64

  var size: Int64 { length }

  /// Bytes that are asked for at once.
  static let pieceLimit: Int64 = 8 << 20

  /// - Throws: `OrielError` 395402 when it was deleted, 720204 when it is not what it should be.
  static func open(_ file: RecordFile, of session: Session) async throws -> (CloudRecording, FragmentMap) {
    guard let path = file.downloadPath, let name = path.range(of: ".mp4") else {
      throw OrielError(.recordDamaged)
    }
    let json = try await session.client.signed(path.replacingCharacters(in: name, with: ".json"))
    guard let list = try? JSONDecoder().decode(FragmentList.self, from: Data(json)), list.headSize <= 1 << 20,
      list.isSound(size: file.size, duration: file.endTime - file.startTime),
      list.fragments.allSatisfy({ (16...256 << 20).contains($0.size) })
    else { throw OrielError(.recordDamaged) }
    let source = CloudRecording(client: session.client, path: path, length: file.size)
    let map = try FragmentMap(
      head: try await source.read(0..<list.headSize),
      fragments: list.fragments.map {
        FragmentMap.Fragment(
          time: $0.time, duration: $0.duration, range: $0.offset..<$0.offset + $0.size,
          headSize: Int($0.size),
          startsWithKeyFrame: $0.startsWithKeyFrame)
      })
    return (source, map)
  }

  func read(_ range: Range<Int64>) async throws -> [UInt8] {
    let range = range.clamped(to: 0..<length)
    guard !range.isEmpty else { return [] }
    var bytes: [UInt8] = []
    var position = range.lowerBound
    do {
      while position < range.upperBound {
        let piece = position..<min(position + Self.pieceLimit, range.upperBound)
        bytes += try await client.signed(path, range: piece)
        position = piece.upperBound
      }
    } catch { throw PlaybackFailure.number(OrielError(anyError: error).number) }
    return bytes
  }
}
