/// The numbers under which a peer expects RTP header extensions (RFC 8285); nil: not agreed.
struct HeaderExtensionNumbers: Sendable, Equatable {
  /// `http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01`
  var transportWideSequence: UInt8?
  /// `http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`
  var absoluteSendTime: UInt8?
  /// `urn:ietf:params:rtp-hdrext:sdes:mid`
  var mid: UInt8?
}

/// What offer and answer agreed on for one media section: all that sending and receiving need to know.
struct NegotiatedMedia: Sendable, Equatable {
  var mid: String
  var kind: MediaKind
  /// Seen from the local side.
  var direction: MediaDirection
  /// The codecs both sides have, the preferred one first, with the payload types on the wire.
  var codecs: [RTPCodec]
  var extensions: HeaderExtensionNumbers
  /// The synchronisation source that the local side named in its description.
  var localSource: UInt32
  /// The canonical name (RTCP SDES) of the local side.
  var canonicalName: String
  /// The synchronisation sources that the remote description names; empty when it names none (then a
  /// packet belongs here by its MID extension or by its payload type).
  var remoteSources: [UInt32]
}
