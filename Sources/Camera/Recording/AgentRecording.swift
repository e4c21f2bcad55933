import OrielMedia
import OrielModel
import OrielRTC

/// The recorders of an agent's cameras, and the store they share.
final class AgentRecording: Sendable {
  let store: RecordingStore
  let mode: RecordingMode
  /// By cameraNo.
  private let recorders: [Int: Recorder]

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
    var recorders: [Int: Recorder] = [:]
    for unit in units {
      let cameraNo = unit.cameraNo
      let recorder = Recorder(store: store, mode: configuration.mode, cameraNo: cameraNo, serial: serial) {
        onState(cameraNo, $0)
      }
      recorders[cameraNo] = recorder
      await recorder.start()
      let inlet = recorder.inlet
      await RTCActor.run {
        unit.onPicture = { stream, picture in if stream == .main { inlet.put(picture) } }
        unit.onSound = { inlet.put($0) }
      }
    }
    self.recorders = recorders
    // What lies there can be watched before the first picture comes; a folder that fails is told by the recorders.
    try? await store.prepare()
  }

  /// Something happened at a camera.
  func note(event name: String, cameraNo: Int) { recorders[cameraNo]?.inlet.put(event: name) }

  /// Returns when the last files are whole.
  func stop() async {
    for recorder in recorders.values { await recorder.stop() }
    await store.close()
  }
}
