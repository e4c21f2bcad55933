import OrielModel

/// What a view learns: the events of its state machine.
enum PlayerInput: Sendable, Equatable {
  case start(VideoLevel?)
  case stop
  case setVideoLevel(VideoLevel)
  /// The link to the platform is open.
  case linkUp
  /// It is not, for this reason.
  case linkDown(OrielError)
  /// The camera answered the offer.
  case answered
  /// The offer could not be made or delivered, or was refused.
  case refused(OrielError)
  /// The camera ended the session; nil: without a reason.
  case sessionEnded(OrielError?)
  case peerConnected
  /// The path was lost; an ICE restart may bring it back.
  case peerInterrupted
  case peerFailed(OrielError)
  /// The data channel is open.
  case channelOpen
  /// The camera says that pictures have this definition from here on.
  case levelChanged(VideoLevel)
  /// The camera's source gives no picture, for this reason; nil: it does.
  case source(ErrorCode?)
  /// A whole access unit came; said until the first picture.
  case accessUnit
  /// A picture was decoded; said whenever none was expected or shown before.
  case picture
  /// Nothing has come for this long.
  case silent(Duration)
  /// The platform says that the device connected; nothing had come from it for this long.
  case deviceOnline(silent: Duration)
  case deviceOffline(silent: Duration)
  case timer(PlayerTimer)
}

enum PlayerTimer: String, Sendable, CaseIterable {
  /// The first picture is due.
  case connect
  /// An attempt to bring a lost view back is due.
  case attempt
  /// A pause before the next attempt is over.
  case retry
  /// A lost view is given up.
  case loss
}

/// What a view does about it.
enum PlayerAction: Sendable, Equatable {
  /// Ask for the link; `linkUp` or `linkDown` follows.
  case openLink
  /// The link may be dead without knowing it: make a new one.
  case reviveLink
  /// Let go of the connection, if any, and offer a new session at this definition.
  case offer(VideoLevel?)
  /// Offer an ICE restart in the session there is.
  case restart
  /// Let go of the connection and the link; tell the camera, with this number, 0 for a normal end.
  case close(Int)
  case sendVideoLevel(VideoLevel)
  case arm(PlayerTimer, Duration)
  case disarm(PlayerTimer)
  case emit(PlayerEvent)
}
