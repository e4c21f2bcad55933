import Foundation
import OrielMedia
public import OrielModel

/// What there is, as it is asked for from outside.
extension RecordingStore {
  /// Files that follow each other within this are one stretch, milliseconds: between two files lies no more than what
  /// a picture lasts.
  static let joinLimit: Int64 = 1_000
  /// Rows that are read at a time.
  static let rowBatch = 2_000
  /// The year 9999, UTC milliseconds: later times are no times.
  static let latestTime: Int64 = 253_402_300_799_999
  /// The most days of an answer.
  static let dayLimit = 400

  /// What a camera has between two instants, in the order of time.
  ///
  /// The kind `event` finds what was recorded for an event, and of continuous recordings the time around one.
  /// - Throws: `OrielError` 400002 when the query cannot be meant, 720101 while the folder cannot be used.
  public func files(_ query: RecordQuery) throws -> RecordPage {
    guard query.from < query.to, (1...RecordQuery.pageLimit).contains(query.limit) else {
      throw OrielError(.argumentError)
    }
    switch query.form {
    case .days: return try days(query)
    case .stretches: return try stretches(query)
    case .files:
      let found = try entries(query, query.from..<query.to, limit: query.limit + 1)
      return RecordPage(
        files: Array(found.prefix(query.limit)),
        nextTime: found.count > query.limit ? found[query.limit].startTime : nil)
    }
  }

  private func stretches(_ query: RecordQuery) throws -> RecordPage {
    var stretches: [RecordFile] = []
    var from = query.from
    while from < query.to {
      let batch = try entries(query, from..<query.to, limit: Self.rowBatch)
      for file in batch {
        if let last = stretches.last, last.continues(with: file) {
          stretches[stretches.count - 1].add(file)
        } else if stretches.count == query.limit {
          return RecordPage(files: stretches, nextTime: file.startTime)
        } else {
          stretches.append(file)
        }
      }
      guard batch.count == Self.rowBatch, let last = batch.last else { break }
      from = max(last.endTime, last.startTime + 1)
    }
    return RecordPage(files: stretches)
  }

  private func days(_ query: RecordQuery) throws -> RecordPage {
    guard let starts = query.dayStarts, (1...Self.dayLimit).contains(starts.count),
      starts.allSatisfy((0..<Self.latestTime).contains),
      zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw OrielError(.argumentError, "a list of days") }
    let ends = starts.dropFirst() + [max(query.to, starts[starts.count - 1] + 1)]
    let days = try zip(starts, ends).filter { start, end in
      try !entries(query, start..<end, limit: 1).isEmpty
    }
    return RecordPage(files: [], days: days.map { $0.0 })
  }

  private func entries(_ query: RecordQuery, _ range: Range<Int64>, limit: Int) throws -> [RecordFile] {
    let files = try overlapping(range, query.cameraNo, .main, kind: query.kind, limit: limit)
      .map(\.recordFile)
    guard query.kind == .event else { return files }
    var all = files
    for event in try events(in: range, query.cameraNo, limit: limit) {
      all += try stretches(around: event).filter {
        $0.endTime > range.lowerBound && $0.startTime < range.upperBound
      }
    }
    return Array(all.sorted { $0.startTime < $1.startTime }.prefix(limit))
  }

  /// What overlaps a range, in the order of time. Recordings of a stream do not overlap each other, so that only the
  /// last that begins before the range can reach into it.
  func overlapping(
    _ range: Range<Int64>, _ cameraNo: Int, _ stream: MediaStream, kind: RecordKind? = nil, limit: Int
  ) throws -> [StoredRecording] {
    var found: [StoredRecording] = []
    if let first = try index.last(startingUntil: range.lowerBound, cameraNo, stream).map(current),
      first.endTime > range.lowerBound, kind == nil || first.kind == kind
    {
      found.append(first)
    }
    guard range.lowerBound < Int64.max - 1 else { return found }
    let rest = range.lowerBound + 1..<max(range.upperBound, range.lowerBound + 1)
    found += try index.recordings(startingIn: rest, cameraNo, stream, kind: kind, limit: limit).map(current)
    return Array(found.filter { $0.endTime > $0.startTime }.prefix(limit))
  }

  private func events(in range: Range<Int64>, _ cameraNo: Int, limit: Int) throws -> [RecordedEvent] {
    var found: [RecordedEvent] = []
    if let first = try index.lastEvent(cameraNo, startingUntil: range.lowerBound),
      first.endTime > range.lowerBound
    {
      found.append(first)
    }
    guard range.lowerBound < Int64.max - 1 else { return found }
    let rest = range.lowerBound + 1..<max(range.upperBound, range.lowerBound + 1)
    return try found + index.events(startingIn: rest, cameraNo, limit: limit)
  }

  /// The stretches of continuous recording around an event.
  private func stretches(around event: RecordedEvent) throws -> [RecordFile] {
    let range = event.startTime..<event.endTime
    var stretches: [RecordFile] = []
    for recording in try overlapping(range, event.cameraNo, .main, kind: .continuous, limit: 100) {
      var file = recording.recordFile
      file.startTime = max(file.startTime, range.lowerBound)
      file.endTime = min(file.endTime, range.upperBound)
      guard file.startTime < file.endTime else { continue }
      // Its share of the file.
      file.size = file.size * (file.endTime - file.startTime) / (recording.endTime - recording.startTime)
      file.kind = .event
      file.fileId = "\(event.cameraNo)-event-\(file.startTime)"
      if let last = stretches.last, last.continues(with: file) {
        stretches[stretches.count - 1].add(file)
      } else {
        stretches.append(file)
      }
    }
    return stretches
  }
}

extension RecordFile {
  /// Whether another file goes on where this one ends.
  fileprivate func continues(with next: RecordFile) -> Bool {
    kind == next.kind && isEncrypted == next.isEncrypted
      && next.startTime - endTime <= RecordingStore.joinLimit
  }

  fileprivate mutating func add(_ next: RecordFile) {
    endTime = max(endTime, next.endTime)
    size += next.size
    isLocked = isLocked && next.isLocked
  }
}
