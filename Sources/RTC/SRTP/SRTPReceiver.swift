/// Opens what the peer sends: finds the roll-over counter of each source, refuses replays.
final class SRTPReceiver {
  /// Sources kept at a time. A peer has a handful; a stranger cannot make one, since only authentic
  /// packets do.
  static let maximumSources = 32

  private struct Source {
    let ssrc: UInt32
    var rtp = ReplayWindow()
    var rtcp = ReplayWindow()
    /// When it was last heard, in packets of the session: the stalest makes room.
    var lastHeard: UInt64 = 0
  }

  private let rtp: SRTPCipher
  private let rtcp: SRTPCipher
  private var sources: [Source] = []
  private var heard: UInt64 = 0

  init(profile: SRTPProfile, masterKey: [UInt8], masterSalt: [UInt8]) throws(RTCFailure) {
    rtp = try SRTPCipher(
      profile: profile,
      keys: SRTPSessionKeys(profile: profile, masterKey: masterKey, masterSalt: masterSalt, use: .rtp),
      encrypts: false)
    rtcp = try SRTPCipher(
      profile: profile,
      keys: SRTPSessionKeys(profile: profile, masterKey: masterKey, masterSalt: masterSalt, use: .rtcp),
      encrypts: false)
  }

  /// Opens the payload (padding included) of an RTP packet into `out`.
  /// - Returns: Its length; nil for a replay, a packet too old to tell, and one that is not authentic.
  func open(_ packet: UnsafeRawBufferPointer, header: RTPHeader, into out: UnsafeMutableRawPointer) -> Int? {
    let place = sources.firstIndex { $0.ssrc == header.ssrc }
    let index = Self.index(of: header.sequenceNumber, highest: place.map { sources[$0].rtp.highest } ?? -1)
    guard index >= 0, place.map({ sources[$0].rtp.isNew(index) }) ?? true,
      let count = rtp.open(
        packet, headerLength: header.length, ssrc: header.ssrc, index: UInt64(index), into: out)
    else { return nil }
    let source = place ?? makeSource(header.ssrc)
    sources[source].rtp.take(index)
    touch(source)
    return count
  }

  /// Opens a compound RTCP packet into `out`, which has room for as many bytes.
  func openRTCP(_ packet: UnsafeRawBufferPointer, into out: UnsafeMutableRawPointer) -> Int? {
    guard let index = rtcp.rtcpIndex(of: packet) else { return nil }
    let ssrc = packet.uint32(at: 4)
    let place = sources.firstIndex { $0.ssrc == ssrc }
    guard place.map({ sources[$0].rtcp.isNew(Int64(index)) }) ?? true,
      let count = rtcp.openRTCP(packet, index: index, into: out)
    else { return nil }
    let source = place ?? makeSource(ssrc)
    sources[source].rtcp.take(Int64(index))
    touch(source)
    return count
  }

  /// The 48-bit index nearest to the highest (RFC 3711, section 3.3.1); roll-over counter 0 at first.
  private static func index(of number: UInt16, highest: Int64) -> Int64 {
    guard highest >= 0 else { return Int64(number) }
    return highest + Int64(Int16(bitPattern: number &- UInt16(truncatingIfNeeded: highest)))
  }

  private func touch(_ source: Int) {
    heard += 1
    sources[source].lastHeard = heard
  }

  private func makeSource(_ ssrc: UInt32) -> Int {
    if sources.count == Self.maximumSources,
      let stalest = sources.indices.min(by: { sources[$0].lastHeard < sources[$1].lastHeard })
    {
      sources[stalest] = Source(ssrc: ssrc)
      return stalest
    }
    sources.append(Source(ssrc: ssrc))
    return sources.count - 1
  }
}
