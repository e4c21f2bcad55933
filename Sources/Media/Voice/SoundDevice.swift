internal import Dispatch

/// How a sound device is opened: by the first sound system in which sound really runs.
enum SoundDevice {
  /// A sound server that does not answer by then is none.
  private static let patience = DispatchTimeInterval.seconds(3)

  /// - Parameters:
  ///   - missing: what is thrown, and told later, when there is no such device.
  ///   - describe: the pipeline for one system; the element of the device has the name `device`.
  ///   - prepare: sets callbacks, which call ``DeviceLife/run()`` when sound runs.
  static func open(
    _ device: SoundDeviceName, server: String?, missing: MediaFailure,
    describe: (SoundDeviceName.System) -> String,
    onEnd: @escaping @Sendable (MediaFailure?) -> Void, prepare: (Pipeline, DeviceLife) -> Void
  ) throws(MediaFailure) -> (Pipeline, DeviceLife) {
    var reason: MediaFailure?
    for system in device.systems {
      let life = DeviceLife(onEnd: onEnd)
      do {
        return (try start(system, device, server, missing, describe(system), life, prepare), life)
      } catch {
        // What is not installed is worth more to know than that the next system has no device either.
        if case .missingElements = error { reason = reason ?? error }
      }
    }
    throw reason ?? missing
  }

  private static func start(
    _ system: SoundDeviceName.System, _ device: SoundDeviceName, _ server: String?, _ missing: MediaFailure,
    _ description: String,
    _ life: DeviceLife, _ prepare: (Pipeline, DeviceLife) -> Void
  ) throws(MediaFailure) -> Pipeline {
    if system == .pulse { guard try answers(server) else { throw missing } }
    let pipeline: Pipeline
    do {
      // What goes wrong with a device, before or later, is that it is not there.
      pipeline = try Pipeline(description, onMessage: { _ in life.end(missing) })
    } catch {
      throw error as? MediaFailure ?? missing
    }
    let element = pipeline.element("device")
    if let name = device.name { element?.set("device", text: name) }
    if system == .pulse {
      if let server { element?.set("server", text: server) }
      element?.set("client-name", text: "Oriel")
    }
    prepare(pipeline, life)
    do {
      guard (try? pipeline.startInHaste()) != nil else { throw missing }
      try life.waitUntilRunning(patience, otherwise: missing)
      return pipeline
    } catch {
      life.close()
      pipeline.stop()
      throw missing
    }
  }

  /// Whether there is a PulseAudio server. Asked by a sink, since a source that finds none leaves a thread behind.
  private static func answers(_ server: String?) throws(MediaFailure) -> Bool {
    let probe: Pipeline
    do { probe = try Pipeline("pulsesink name=device") } catch {
      throw error as? MediaFailure ?? .missingElements(["pulsesink"])
    }
    defer { probe.stop() }
    if let server { probe.element("device")?.set("server", text: server) }
    return probe.open()
  }
}
