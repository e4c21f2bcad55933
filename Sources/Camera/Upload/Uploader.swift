import Foundation
import OrielCrypto
import OrielMedia
import OrielModel
import OrielNet

/// Drives `UploadState`: one recording at a time over one connection, for as long as the agent lives.
actor Uploader {
  /// For one piece: a line of 35 kbit/s brings it.
  static let pieceLimit = Duration.seconds(60)

  private let queue: any UploadQueue
  private let choice: UploadChoice
  private let client: HTTPClient
  private let send: @Sendable (LinkMessage) -> Void
  private let timing: Timing
  private let log: Log
  private let name: String
  private var state = UploadState()
  private var count = 0
  private var timer: Task<Void, Never>?
  /// The last of a chain: each waits for the one before it, also when that was cancelled.
  private var work: Task<Void, Never>?

  /// - Parameter send: queues a message on the link.
  init(
    queue: any UploadQueue, choice: UploadChoice, client: HTTPClient, timing: Timing, log: Log,
    send: @escaping @Sendable (LinkMessage) -> Void
  ) {
    self.queue = queue
    self.choice = choice
    self.client = client
    self.timing = timing
    self.log = log
    self.send = send
    // Answers to what a former process asked for are not taken for ours.
    name = (try? RandomBytes.make(count: 6)).map(Base64URL.text) ?? "upload"
  }

  deinit {
    timer?.cancel()
    work?.cancel()
  }

  func wentOnline() { handle(.online) }
  func wentOffline() { handle(.offline) }
  /// A recording has been finished.
  func wake() { handle(.wake) }
  func received(_ grant: UploadGrant) { handle(.granted(grant)) }

  /// Returns when nothing is under way any more.
  func stop() async {
    handle(.stop)
    timer?.cancel()
    await timer?.value
    await work?.value
    await client.close()
  }

  private func handle(_ event: UploadState.Event) {
    guard choice != .none else { return }
    for action in state.handle(event, random: .random(in: 0..<1)) { perform(action) }
  }

  private func perform(_ action: UploadState.Action) {
    switch action {
    case .find: run { uploader in .found(try await uploader.queue.nextToUpload(uploader.choice)) }
    case .prepare(let item):
      count += 1
      let id = "\(name)-\(count)"
      run { _ in .prepared(try await UploadPreparation.request(for: item, id: id)) }
    case .ask(let request): send(.uploadRequest(request))
    case .send(let item, let path, let offset, let count):
      run { uploader in try await uploader.sendPiece(of: item, to: path, at: offset, count) }
    case .markUploaded(let item):
      log.info("camera \(item.cameraNo): uploaded \(item.id)")
      settle { try await $0.queue.markUploaded(item.id) }
    case .giveUp(let item, let code):
      log.warning("\(item.id) is not uploaded: \(OrielError(code))")
      settle { try await $0.queue.giveUp(item.id, because: code) }
    case .startTimer(let number, let delay):
      timer?.cancel()
      timer = Task { [timing, weak self] in
        guard (try? await timing.sleep(delay)) != nil else { return }
        await self?.handle(.timer(number))
      }
    case .cancel:
      work?.cancel()
      timer?.cancel()
    }
  }

  // MARK: Work

  /// What was noted before is noted before the next is looked for.
  private func settle(_ body: @escaping @Sendable (Uploader) async throws -> Void) {
    let before = work
    start { uploader in
      await before?.value
      do { try await body(uploader) } catch { uploader.log.error("an upload is not noted: \(error)") }
    }
  }

  private func run(_ body: @escaping @Sendable (Uploader) async throws -> UploadState.Event) {
    let before = work
    start { uploader in
      await before?.value
      let event: UploadState.Event
      do {
        event = try await body(uploader)
      } catch let failure as PieceFailure {
        event = .failed(failure.code, offset: failure.offset)
      } catch let error as OrielError {
        event = .failed(error.code, offset: nil)
      } catch {
        event = .failed(.recordDamaged, offset: nil)
      }
      if !Task.isCancelled { await uploader.handle(event) }
    }
  }

  private func start(_ body: @escaping @Sendable (Uploader) async -> Void) {
    work = Task { [weak self] in
      if let self { await body(self) }
    }
  }

  // MARK: Pieces

  private struct PieceFailure: Error {
    let code: ErrorCode
    let offset: Int64?
  }

  private func sendPiece(of item: UploadItem, to path: String, at offset: Int64, _ count: Int) async throws
    -> UploadState.Event
  {
    let bytes: [UInt8]
    do {
      bytes = try RecordingFile(path: item.path).read(offset..<offset + Int64(count))
    } catch {
      throw OrielError(.recordNotFound)
    }
    guard bytes.count == count, let parts = URLComponents(string: path), parts.host == nil else {
      throw OrielError(count == bytes.count ? .platformAnswer : .recordNotFound)
    }
    let answer = try await client.send(
      method: "PATCH", path: parts.path,
      query: (parts.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") },
      headers: ["Upload-Offset": "\(offset)", "Content-Type": "application/octet-stream"], body: bytes,
      timeout: Self.pieceLimit, maximumBody: 64 * 1024)
    if answer.status == 200 { return .sent(try answer.decode(UploadProgress.self)) }
    struct Failure: Decodable { let code: Int }
    let number = try? answer.decode(Failure.self).code
    throw PieceFailure(
      code: number.flatMap { ErrorCode(rawValue: $0) } ?? .platformAnswer,
      offset: answer.headers["Upload-Offset"].flatMap { Int64($0) })
  }
}
