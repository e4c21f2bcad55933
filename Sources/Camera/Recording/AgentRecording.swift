import OrielMedia
import OrielModel
import OrielRTC

/// The recorders of an agent's cameras, and the store they share.
final class AgentRecording: Sendable {
  let store: RecordingStore
  let mode: RecordingMode
  private let recorders: [Recorder]

  /// - Parameter onState: told the camera, and the number when recording fails; nil when it goes on.
  init(
    _ configuration: RecordingConfiguration, of units: [CameraUnit], serial: String, dataFolder: String,
    upload: UploadChoice, onState: @escaping @Sendable (Int, OrielError?) -> Void
  ) async {
    let store = RecordingStore(
      folder: configuration.folder ?? dataFolder + "/recordings", limits: configuration.limits,
      memory: FolderMemory(file: dataFolder + "/recordings-folder.json"))
    self.store = store
    mode = configuration.mode
    await store.setUploadChoice(upload)
    var recorders: [Recorder] = []
    for unit in units {
      let cameraNo = unit.cameraNo
      let main = Recorder(store: store, mode: configuration.mode, cameraNo: cameraNo, serial: serial) {
        onState(cameraNo, $0)
      }
      // A small stream that comes by itself is recorded beside the main one, for viewers on a thin line.
      let sub =
        unit.hasOwnSub
        ? Recorder(
          store: store, mode: configuration.mode, cameraNo: cameraNo, stream: .sub, serial: serial) : nil
      for recorder in [main, sub].compactMap({ $0 }) {
        recorders.append(recorder)
        await recorder.start()
      }
      let (mainInlet, subInlet) = (main.inlet, sub?.inlet)
      await RTCActor.run {
        unit.onPicture = { stream, picture in (stream == .main ? mainInlet : subInlet)?.put(picture) }
        unit.onSound = {
          mainInlet.put($0)
          subInlet?.put($0)
        }
        if subInlet != nil { unit.keepSub() }
      }
    }
    self.recorders = recorders
    // What lies there can be watched before the first picture comes; a folder that fails is told by the recorders.
    try? await store.prepare()
  }

  /// Something happened at a camera.
  func note(event name: String, cameraNo: Int) {
    for recorder in recorders where recorder.cameraNo == cameraNo { recorder.inlet.put(event: name) }
  }

  /// Returns when the last files are whole.
  func stop() async {
    for recorder in recorders { await recorder.stop() }
    await store.close()
  }
}
