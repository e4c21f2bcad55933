/// What a signalling message asks for. The envelope is that of Kinesis Video Streams WebRTC.
public enum SignalAction: String, Sendable, Codable, CaseIterable {
  /// Viewer to camera: payload is a `SessionDescription`.
  case offer = "SDP_OFFER"
  /// Camera to viewer: payload is a `SessionDescription`.
  case answer = "SDP_ANSWER"
  /// Either way: payload is a `CandidateDescription`. May come before the description.
  case candidate = "ICE_CANDIDATE"
  /// Platform to either: reconnect elsewhere, the link is about to close.
  case goAway = "GO_AWAY"
  /// Either way: the session is over; `errorCode` says why, 0 is a normal end.
  case sessionEnd = "SESSION_END"
  /// Platform or camera to sender: the message could not be delivered or was refused, with `errorCode`.
  case status = "STATUS_RESPONSE"
}

/// One signalling message between a viewer and a camera, passed on by the platform.
///
/// The platform overwrites `senderClientId` with the identity it authenticated; a sender cannot choose it.
public struct SignalMessage: Sendable, Codable, Equatable {
  public var action: SignalAction
  /// Names the session. Chosen by the viewer (a random UUID), unique per viewer connection.
  public var sessionId: String
  public var senderClientId: String?
  /// A device's serial, or a viewer's client id.
  public var recipientClientId: String
  /// Base64 of the payload's JSON.
  public var messagePayload: String?
  /// On an offer: which camera of the device, from 1.
  public var cameraNo: Int?
  /// On an offer: the definition to start with.
  public var videoLevel: VideoLevel?
  /// On an offer: where playback starts, epoch seconds; absent for live view.
  public var playbackTime: Double?
  /// On an offer: where playback ends, epoch seconds.
  public var playbackEndTime: Double?
  /// On an offer, added by the platform: the relays the camera may use for this session.
  public var iceServers: [ICEServerRecord]?
  /// On an offer, set by the platform whatever the viewer says: whether this viewer may talk. Absent means no.
  public var mayTalk: Bool?
  /// On `STATUS_RESPONSE` and `SESSION_END`: the number, 0 for a normal end.
  public var errorCode: Int?

  public init(
    _ action: SignalAction, session: String, from sender: String? = nil, to recipient: String,
    payload: String? = nil
  ) {
    self.action = action
    sessionId = session
    senderClientId = sender
    recipientClientId = recipient
    messagePayload = payload
  }
}

/// The payload of an offer or an answer, as in the browser's RTCSessionDescription.
public struct SessionDescription: Sendable, Codable, Equatable {
  /// "offer" or "answer".
  public var type: String
  /// At most 64 KiB; a longer one is refused with 740004.
  public var sdp: String

  public init(type: String, sdp: String) {
    self.type = type
    self.sdp = sdp
  }
}

/// The payload of a candidate, as in the browser's RTCIceCandidate. An empty `candidate` ends the list.
public struct CandidateDescription: Sendable, Codable, Equatable {
  public var candidate: String
  public var sdpMid: String?
  public var sdpMLineIndex: Int?

  public init(candidate: String, sdpMid: String? = nil, sdpMLineIndex: Int? = nil) {
    self.candidate = candidate
    self.sdpMid = sdpMid
    self.sdpMLineIndex = sdpMLineIndex
  }
}

/// A STUN or TURN server, as in the browser's RTCIceServer.
public struct ICEServerRecord: Sendable, Codable, Equatable {
  public var urls: [String]
  /// Short-lived: expiry time and name, as in the TURN REST convention.
  public var username: String?
  public var credential: String?

  public init(urls: [String], username: String? = nil, credential: String? = nil) {
    self.urls = urls
    self.username = username
    self.credential = credential
  }
}
