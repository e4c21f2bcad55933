import OrielModel

/// Deletes what nobody may see any more: first hidden in the index, then deleted from the store, then forgotten, so
/// that whatever is interrupted is done again.
actor CloudSweeper {
  static let interval = Duration.seconds(600)
  /// An upload that nothing was heard of for so long is given up.
  static let patience: Int64 = 3 * 24 * 3_600_000
  private static let batch = 100

  private let index: any CloudIndex
  private let store: any CloudStore
  private let spool: UploadSpool
  private let standard: CloudLimits
  private let time: PlatformTime
  private let log = Log("cloud")
  private let wakes: AsyncStream<Void>
  private nonisolated let waker: AsyncStream<Void>.Continuation
  private var tasks: [Task<Void, Never>] = []

  init(
    index: any CloudIndex, store: any CloudStore, spool: UploadSpool, standard: CloudLimits,
    time: PlatformTime
  ) {
    self.index = index
    self.store = store
    self.spool = spool
    self.standard = standard
    self.time = time
    (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit {
    waker.finish()
    for task in tasks { task.cancel() }
  }

  func start() {
    guard tasks.isEmpty else { return }
    let (wakes, waker) = (wakes, waker)
    tasks = [
      Task { [weak self] in
        await self?.forgetStrays()
        for await _ in wakes { await self?.delete() }
      },
      Task { [weak self] in
        while !Task.isCancelled {
          await self?.condemnOld()
          waker.yield()
          guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
        }
      },
    ]
  }

  func stop() async {
    waker.finish()
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    tasks = []
  }

  /// Something was condemned.
  nonisolated func wake() { waker.yield() }

  /// All of it at once, now.
  func sweep() async {
    await condemnOld()
    await delete()
  }

  private func condemnOld() async {
    let now = time.wall()
    do {
      try await index.condemnOld(standard: standard, at: now, abandoned: now - Self.patience)
    } catch { log.error("old recordings were not looked for: \(error)") }
  }

  private func delete() async {
    do {
      while true {
        let names = try await index.condemned(count: Self.batch)
        for name in names {
          try await store.delete(name)
          await spool.discard(name)
          try await index.forget(name)
        }
        if names.count < Self.batch { return }
      }
    } catch {
      // They stay condemned: the next turn tries again.
      log.error("a recording was not deleted: \(error)")
    }
  }

  /// Pieces of uploads that the index does not know: nobody will ever finish them.
  private func forgetStrays() async {
    do {
      for name in await spool.names() where try await index.cloudFile(name)?.state != .receiving {
        await spool.discard(name)
      }
    } catch { log.error("what is left of uploads was not looked for: \(error)") }
  }
}
