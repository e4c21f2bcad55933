import OrielModel

/// Where a talker is heard: a loudspeaker of this machine, or that of the camera behind the agent.
protocol TalkOutlet: Sendable {
  /// Takes the next Opus packet and returns at once.
  /// - Parameter timestamp: of RTP, 48 kHz.
  func play(_ packet: [UInt8], timestamp: UInt32)
  /// Gives it back; blocks.
  func close()
}

/// Opens the outlet for one talk; blocks.
///
/// Throws `OrielError` 750003 when there is no loudspeaker. `lost` is told once when it goes away meanwhile.
typealias TalkOutletFactory =
  @Sendable (_ lost: @escaping @Sendable (OrielError) -> Void) throws -> any TalkOutlet
