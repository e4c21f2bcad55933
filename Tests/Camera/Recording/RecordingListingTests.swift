import Foundation
import OrielMedia
import OrielModel
import Testing

@testable import OrielCamera

@Suite(.serialized) struct RecordingListingTests {
  private let noon = RecordingBench.noon

  @Test func aDayAmongHalfAYearOfMinutesIsListedIn20Milliseconds() async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    try await store.open()
    try await store.enterMinutes(from: noon, count: 180 * 1440)
    var query = RecordQuery(
      cameraNo: 1, from: noon + 90 * 86_400_000, to: noon + 91 * 86_400_000, form: .stretches)
    let clock = ContinuousClock()
    for form in [RecordQuery.Form.stretches, .files] {
      query.form = form
      var times: [Duration] = []
      for _ in 0..<20 {
        let began = clock.now
        let page = try await store.files(query)
        times.append(clock.now - began)
        #expect(page.files.count == (form == .files ? RecordQuery.pageLimit : 1))
      }
      #expect(times.sorted()[10] < .milliseconds(40), "the bar is 20 ms")
    }
  }

  @Test func daysOf23And25HoursAreDaysAsTheCallerCountsThem() async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    try await store.open()
    // 2026 in Berlin: 29 March has 23 hours, 25 October 25.
    let march: [Int64] = [1_774_652_400_000, 1_774_738_800_000, 1_774_821_600_000]
    let october: [Int64] = [1_792_792_800_000, 1_792_879_200_000, 1_792_969_200_000]
    for day in [march, october] {
      // The last minute of the short or the long day.
      try await store.enterMinutes(from: day[2] - 60_000, count: 1)
      var query = RecordQuery(cameraNo: 1, from: day[0], to: day[2] + 86_400_000, form: .days)
      query.dayStarts = day
      #expect(try await store.files(query).days == [day[1]])
    }
  }

  @Test func tenThousandFilesOfADayComeInPagesWithoutLossOrRepeat() async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    try await store.open()
    try await store.enterMinutes(from: noon, count: 10_000, length: 8_000)
    var query = RecordQuery(cameraNo: 1, from: noon, to: noon + 86_400_000, form: .files)
    var starts: [Int64] = []
    while true {
      let page = try await store.files(query)
      starts += page.files.map(\.startTime)
      guard let next = page.nextTime else { break }
      query.from = next
    }
    #expect(starts == (0..<10_000).map { noon + Int64($0) * 8_000 })
  }

  @Test(arguments: [Int64.min, -1, Int64.max - 1, Int64.max])
  func timesThatAreNoneDoNoHarm(time: Int64) async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    try await store.open()
    try await store.enterMinutes(from: noon, count: 2)
    await #expect { try await store.jpeg(at: time, cameraNo: 1) } throws: {
      ($0 as? OrielError)?.code == .recordNotFound
    }
    var query = RecordQuery(cameraNo: 1, from: min(time, Int64.max - 2), to: Int64.max, form: .days)
    query.dayStarts = [time]
    await #expect { _ = try await store.files(query) } throws: { ($0 as? OrielError)?.code == .argumentError }
    for form in [RecordQuery.Form.files, .stretches] {
      query.form = form
      _ = try await store.files(query)
    }
    if time < Int64.max { #expect(try await store.lock(time..<Int64.max, cameraNo: 1, isLocked: false) >= 0) }
    #expect(try await store.stretches(of: 1, from: min(time, Int64.max - 2), to: Int64.max).count <= 1)
  }

  @Test(arguments: [(5, 5), (6, 5)])
  func aQueryThatCannotBeMeantIsRefused(from: Int, to: Int) async throws {
    let bench = try await RecordingBench()
    let store = bench.store()
    try await store.open()
    await #expect {
      _ = try await store.files(RecordQuery(cameraNo: 1, from: Int64(from), to: Int64(to), form: .files))
    } throws: { ($0 as? OrielError)?.code == .argumentError }
  }
}

extension RecordingStore {
  /// Rows as recordings leave them.
  func enterMinutes(from start: Int64, count: Int, length: Int64 = 60_000) throws {
    try index.transaction {
      for number in 0..<Int64(count) {
        let key = RecordingKey(cameraNo: 1, stream: .main, startTime: start + number * length)
        try index.put(
          StoredRecording(
            path: folder.path(of: key), cameraNo: 1, stream: .main, kind: .continuous,
            startTime: key.startTime,
            endTime: key.startTime + length, size: 15_000_000, isGrowing: false, isLocked: false,
            isUploaded: false,
            isEncrypted: false))
      }
    }
  }

  /// Loses a row, as a power cut does.
  func forget(_ key: RecordingKey) throws { try index.remove(key) }
}
