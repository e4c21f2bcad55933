import OrielModel
import OrielRTC
import Synchronization

/// A playback of what the cloud has: no session, no camera.
extension PlayerDriver {
  func startCloud(_ range: PlaybackRange, _ pictures: PictureFlow) {
    let cloud = CloudPlayback(range: range, archive: cloudArchive, outlet: outlet)
    self.cloud = cloud
    pictures.isPictureAwaited.store(true, ordering: .relaxed)
    pictures.onPicture = { [weak self, weak pictures] in
      guard pictures?.isPictureAwaited.exchange(false, ordering: .relaxed) == true else { return }
      self?.emit(.started)
    }
    let fail = { [weak self] (error: OrielError) in
      self?.closeCloud()
      self?.emit(.failed(error))
    }
    pictures.onFailure = fail
    cloud.failed = fail
    cloud.emit = { [weak self] in self?.emit($0) }
    cloud.pass = { [weak self, weak cloud] picture in
      guard let self else { return }
      var picture = picture
      media.expect(picture.codec, hasSound: true)
      media.place(&picture, arrival: now)
      if picture.captureTime != PictureFlow.hidden { cloud?.opens(at: picture.timestamp) }
      receivedBytes.add(UInt64(picture.bytes.count), ordering: .relaxed)
      media.take(picture)
    }
    cloud.passSound = { [weak self] in
      guard let self else { return }
      media.takeSound($0.bytes, $0.timestamp, arrival: now)
    }
    media.startSession()
    emit(.connecting)
    cloud.start()
  }

  func closeCloud() {
    cloud?.close()
    cloud = nil
    media.stop()
  }
}
