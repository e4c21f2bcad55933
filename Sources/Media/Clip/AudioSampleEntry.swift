/// How the sound of a clip is encoded: what the stsd box of its track holds.
struct AudioSampleEntry: Equatable {
  let form: AudioForm
  var channels: Int
  var isEncrypted = false

  init(_ form: AudioForm) {
    self.form = form
    switch form {
    case .opus: channels = 1
    case .aac(let configuration): channels = configuration.channels
    }
  }

  /// An Opus packet says itself how many channels it has (RFC 6716 section 3.1).
  init(_ packet: AudioPacket) {
    self.init(packet.form)
    if packet.form == .opus, let first = packet.bytes.first { channels = first & 0x04 != 0 ? 2 : 1 }
  }

  private var format: String { form == .opus ? "Opus" : "mp4a" }

  func write(_ box: inout BoxBuilder) {
    box.box(isEncrypted ? "enca" : format) { entry in
      entry.zeros(6)
      entry.u16(1)
      entry.zeros(8)
      entry.u16(channels)
      entry.u16(16)
      entry.zeros(4)
      // 16 bits before the point: AAC of 88.2 and 96 kHz says its rate in its own configuration.
      entry.u32((form.clockRate <= 0xFFFF ? form.clockRate : 0) << 16)
      switch form {
      case .opus: writeOpus(&entry)
      case .aac(let configuration): writeElementaryStream(configuration, &entry)
      }
      if isEncrypted { ProtectionScheme.write(format: format, &entry) }
    }
  }

  /// "Encapsulation of Opus in ISO Base Media File Format", section 4.3.2.
  private func writeOpus(_ entry: inout BoxBuilder) {
    entry.box("dOps") { box in
      box.u8(0)
      box.u8(UInt8(channels))
      box.u16(312)
      box.u32(48000)
      box.u16(0)
      box.u8(0)
    }
  }

  /// ISO/IEC 14496-14 section 5.6.1, with the descriptors of ISO/IEC 14496-1 section 7.2.6.
  private func writeElementaryStream(_ configuration: AACConfiguration, _ entry: inout BoxBuilder) {
    let specific = configuration.bytes.count
    entry.fullBox("esds") { box in
      box.raw([3, UInt8(3 + 2 + 13 + 2 + specific + 3)])
      box.u16(2)
      box.u8(0)
      box.raw([4, UInt8(13 + 2 + specific), 0x40, 0x15, 0, 0, 0])
      box.u32(0)
      box.u32(0)
      box.raw([5, UInt8(specific)])
      box.raw(configuration.bytes)
      box.raw([6, 1, 2])
    }
  }
}
