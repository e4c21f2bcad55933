@testable import OrielRTC

/// A camera and a viewer with real SRTP between them over two virtual links, and a stream of pictures.
@RTCActor
final class VirtualCall {
  let clock = VirtualClock()
  let toViewer: VirtualLink
  let toCamera: VirtualLink
  let camera: MediaSession
  let viewer: MediaSession
  let sender = MediaSender(kind: .video)
  let receiver = MediaReceiver(kind: .video)
  let feed: PacketFeed
  let source: VirtualCamera
  let picture = PictureMeter()

  init(profile: SRTPProfile = .aeadAES128GCM, seed: UInt64 = 1, transportFeedback: Bool = true) throws {
    toViewer = VirtualLink(clock, seed: seed)
    toCamera = VirtualLink(clock, seed: seed &+ 1)
    let cameraTime = VirtualTime(clock)
    camera = MediaSession(path: toViewer, scheduler: MediaScheduler(time: cameraTime))
    viewer = MediaSession(path: toCamera, scheduler: MediaScheduler(time: VirtualTime(clock)))
    feed = PacketFeed(kind: .video, clockRate: 90_000, capacity: 2_048, time: cameraTime)
    source = VirtualCamera(clock, feed: feed)
    toViewer.deliver = { [weak viewer] packet in packet.withUnsafeBytes { viewer?.receive($0) } }
    toCamera.deliver = { [weak camera] packet in packet.withUnsafeBytes { camera?.receive($0) } }
    var codec = RTPCodec.h264()
    codec.payloadType = 96
    if !transportFeedback { codec.feedback.removeAll { $0 == "transport-cc" } }
    var media = NegotiatedMedia(
      mid: "0", kind: .video, direction: .sendOnly, codecs: [codec],
      extensions: HeaderExtensionNumbers(transportWideSequence: 3, mid: 4), localSource: 1_111,
      canonicalName: "camera", remoteSources: [])
    camera.bind(media, sender: sender, receiver: MediaReceiver(kind: .video))
    media.direction = .receiveOnly
    media.localSource = 2_222
    media.canonicalName = "viewer"
    media.remoteSources = [1_111]
    viewer.bind(media, sender: MediaSender(kind: .video), receiver: receiver)
    sender.onKeyFrameRequest = { [source] in source.wantsKeyFrame = true }
    receiver.onPacket = { [picture, clock, weak self] in
      if picture.take($0, at: clock.now) { self?.receiver.requestKeyFrame() }
    }
    let one = [UInt8](repeating: 1, count: 16)
    let other = [UInt8](repeating: 2, count: 16)
    let salt = [UInt8](repeating: 3, count: profile.saltLength)
    try camera.setKeys(
      .init(profile: profile, localKey: one, localSalt: salt, remoteKey: other, remoteSalt: salt))
    try viewer.setKeys(
      .init(profile: profile, localKey: other, localSalt: salt, remoteKey: one, remoteSalt: salt))
  }

  /// The same delay and loss both ways.
  func setPath(delay: Int64, loss: Double = 0, jitter: Int64 = 0) {
    for link in [toViewer, toCamera] {
      link.delay = delay
      link.loss = loss
      link.jitter = jitter
    }
  }
}

/// A stream like an encoder's: pictures of numbered bytes, key frames on request and every two seconds.
@RTCActor
final class VirtualCamera {
  var bitsPerSecond = 2_000_000
  var picturesPerSecond = 30
  var groupLength = 60
  var wantsKeyFrame = false
  /// Counted on; another camera's numbers should begin elsewhere.
  var pictures: UInt32 = 0
  private(set) var keyFrames = 0
  private let clock: VirtualClock
  private let feed: PacketFeed
  private var untilKeyFrame = 0
  private var isRunning = false
  private var lastKeyFrame = Int64.min / 2

  init(_ clock: VirtualClock, feed: PacketFeed) {
    self.clock = clock
    self.feed = feed
  }

  func start() {
    isRunning = true
    shoot()
  }

  func stop() { isRunning = false }

  private func shoot() {
    guard isRunning else { return }
    takePicture()
    clock.at(clock.now + Int64(1_000_000 / picturesPerSecond)) { [weak self] in self?.shoot() }
  }

  /// First byte of a payload: an H.264 FU-A; then its header; then the picture's number and time.
  func takePicture() {
    let isKey = untilKeyFrame == 0 || (wantsKeyFrame && clock.now - lastKeyFrame > 300_000)
    if isKey {
      untilKeyFrame = groupLength
      wantsKeyFrame = false
      lastKeyFrame = clock.now
      keyFrames += 1
    }
    untilKeyFrame -= 1
    let average = bitsPerSecond / 8 / picturesPerSecond
    let bytes = isKey ? average * 6 : average * 9 / 10
    let packets = max(1, (bytes + 1_049) / 1_050)
    let length = max(24, bytes / packets)
    var payloads: [UInt8] = []
    for packet in 0..<packets {
      var payload = [UInt8](repeating: UInt8(truncatingIfNeeded: packet), count: length)
      payload[0] = 28
      payload[1] = (packet == 0 ? 0x80 : 0) | (packet == packets - 1 ? 0x40 : 0) | (isKey ? 5 : 1)
      payload.withUnsafeMutableBytes {
        $0.storeBytes(of: pictures, toByteOffset: 4, as: UInt32.self)
        $0.storeBytes(of: UInt32(packet), toByteOffset: 8, as: UInt32.self)
        $0.storeBytes(of: clock.now, toByteOffset: 12, as: Int64.self)
      }
      payloads += payload
    }
    feed.append(
      payloads, payloadLengths: [Int](repeating: length, count: packets),
      timestamp: UInt32(truncatingIfNeeded: clock.now * 9 / 100), startsGroup: isKey)
    pictures += 1
  }
}

/// What a decoder would show: whole pictures that follow one on another from a key frame on.
@RTCActor
final class PictureMeter {
  struct Picture {
    let number: UInt32
    let shownAt: Int64
    let takenAt: Int64
    let timestamp: UInt32
    let isKey: Bool
  }

  private(set) var shown: [Picture] = []
  private(set) var packets = 0
  private var current: UInt32?
  private var nextPacket: UInt32 = 0
  private var isWhole = false
  private var lastShown: UInt32?
  private(set) var waitsForKey = true

  /// - Returns: Whether a key frame is needed.
  func take(_ packet: ReceivedPacket, at now: Int64) -> Bool {
    packets += 1
    let number = packet.payload.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
    let place = packet.payload.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    if packet.isAfterGap { waitsForKey = true }
    let isKey = packet.payload[1] & 0x1f == 5
    if current != number {
      current = number
      nextPacket = 0
      isWhole = true
    }
    if place != nextPacket { isWhole = false }
    nextPacket = place + 1
    guard packet.payload[1] & 0x40 != 0, packet.marker else { return waitsForKey && !isKey }
    let follows = isKey || (!waitsForKey && lastShown.map { number == $0 &+ 1 } ?? false)
    guard isWhole, follows else {
      waitsForKey = true
      return true
    }
    waitsForKey = false
    lastShown = number
    shown.append(
      Picture(
        number: number, shownAt: now,
        takenAt: packet.payload.loadUnaligned(fromByteOffset: 12, as: Int64.self),
        timestamp: packet.timestamp, isKey: isKey))
    return false
  }

  /// The longest pause between two pictures from `start` on, microseconds.
  func longestFreeze(from start: Int64, to end: Int64) -> Int64 {
    var last = start
    var longest: Int64 = 0
    for picture in shown where picture.shownAt >= start {
      longest = max(longest, picture.shownAt - last)
      last = picture.shownAt
    }
    return max(longest, end - last)
  }

  /// Delay from camera to screen of the pictures from `start` on, sorted.
  func delays(from start: Int64) -> [Int64] {
    shown.filter { $0.shownAt >= start }.map { $0.shownAt - $0.takenAt }.sorted()
  }
}
