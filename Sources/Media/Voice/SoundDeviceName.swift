/// A device's name as a person writes it: `pulse:NAME` or `alsa:NAME` for one sound system, `NAME` for the first that
/// knows it, nil for the default device of the first that has one.
struct SoundDeviceName: Sendable, Equatable {
  enum System: String, Sendable, CaseIterable { case pulse, alsa }

  /// In the order in which they are tried.
  let systems: [System]
  /// nil is the default device.
  let name: String?

  init(_ text: String?) {
    guard let text, !text.isEmpty else {
      (systems, name) = (System.allCases, nil)
      return
    }
    for system in System.allCases where text.hasPrefix("\(system.rawValue):") {
      let rest = String(text.dropFirst(system.rawValue.count + 1))
      (systems, name) = ([system], rest.isEmpty ? nil : rest)
      return
    }
    (systems, name) = (System.allCases, text)
  }
}
