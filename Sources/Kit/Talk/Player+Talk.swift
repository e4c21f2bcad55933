public import OrielMedia
import OrielModel

/// Two-way audio, beside whatever the player shows from the device.
extension Player {
  /// Begins to talk: `talkStarted` follows, or `talkFailed`. The microphone is opened first; without one the network is
  /// not touched. A player that was made by ``Session/talk(with:cameraNo:options:)`` is started by this alone; it ends with
  /// the talk, by `stopped` or `failed`.
  ///
  /// `talkFailed` has 750004 when there is no microphone, 750005 when the file is no sound, 750003 no loudspeaker (here or at the camera), 360010 when
  /// somebody else talks, 400025 when the device has no talk, 110031 when this account may not, 360001 when the camera
  /// does not answer, 360002 when the talk was lost, 720205 when no view runs.
  /// - Parameter input: a file ends the talk when it has been played.
  public func startTalk(from input: VoiceInput = .microphone(device: nil)) {
    let run = options.isVoiceOnly ? outlet.begin() : nil
    if options.isVoiceOnly, run == nil { return }
    yield(.talk(.start(input, run: run)))
  }

  /// Ends the talk: `talkEnded` follows. A player that was made to talk stops, too.
  public func stopTalk() { yield(.talk(.stop)) }

  /// With half duplex: true while this side speaks and the camera listens; at first it is the other way round.
  /// `talkTurned` follows. With full duplex nothing happens.
  public func speak(_ isPressed: Bool) { yield(.talk(.press(isPressed))) }
}

/// What a player is asked about talk.
enum TalkOrder: Sendable {
  /// - Parameter run: of a player that is for talk alone: its session begins when the devices are open.
  case start(VoiceInput, run: Int?)
  case stop
  case press(Bool)
}
