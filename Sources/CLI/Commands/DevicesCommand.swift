import OrielKit
import OrielModel

extension CommandDescription {
  static let devices = CommandDescription(
    "devices", operands: "[list|add|probe|info|remove] [SERIAL]", operandCount: 0...2,
    summary: "list, add, look at and remove devices",
    details: """
      Without a word it lists the devices of the account.

        oriel devices                      the list
        oriel devices probe O12345678      is it online, and free to be added?
        oriel devices add O12345678        add it; the six letters on its label are asked for
        oriel devices info O12345678       cameras, streams, and whether the source is passed on or encoded
        oriel devices remove O12345678     take it out of the account
      """,
    options: [
      .value("code-file", "FILE", "add: read the verification code from a file instead of asking"),
      .value("name", "NAME", "add: what to call the device"),
      .value("server", "ADDRESS", "another platform than that of `oriel login`"), .json,
    ],
    run: DevicesCommand.run)
}

enum DevicesCommand {
  @Sendable static func run(_ arguments: Arguments) async throws {
    let output = Output(arguments)
    let verb = arguments.operands.first ?? "list"
    guard ["list", "add", "probe", "info", "remove"].contains(verb) else {
      throw UsageError(message: "`oriel devices` does not know '\(verb)'.")
    }
    if verb == "list" {
      guard arguments.operands.count <= 1 else {
        throw UsageError(message: "`oriel devices list` takes no serial.")
      }
      return try await list(SignedIn.session(arguments), output)
    }
    guard arguments.operands.count == 2 else {
      throw UsageError(message: "`oriel devices \(verb)` needs a SERIAL.")
    }
    let serial = try DeviceSerial(arguments.operands[1])
    let session = try SignedIn.session(arguments)
    switch verb {
    case "add": try await add(serial, arguments, session, output)
    case "probe": try await probe(serial, session, output)
    case "info": try await info(serial, session, output)
    default:
      try await Progress.during("Removing \(serial)") { try await session.remove(serial) }
      try output.answer(["removed": serial], text: "\(serial) is no longer in the account.")
    }
    await session.close()
  }

  private static func list(_ session: Session, _ output: Output) async throws {
    let records = try await Progress.during("Asking the platform") { try await session.devices() }.map(
      \.record)
    await session.close()
    try output.answer(["devices": records], text: text(of: records))
  }

  private static func text(of records: [DeviceRecord]) -> String {
    guard !records.isEmpty else {
      return "No device in this account yet. Add one with: oriel devices add SERIAL"
    }
    return Output.table(
      ["SERIAL", "NAME", "STATUS", "CAMERAS", "MODEL"],
      records.map {
        [
          $0.serial.value, $0.name, $0.status == .online ? "online" : "offline", "\($0.cameras.count)",
          $0.model,
        ]
      })
  }

  private static func add(
    _ serial: DeviceSerial, _ arguments: Arguments, _ session: Session, _ output: Output
  ) async throws {
    let text =
      if let path = arguments.value("code-file") {
        try SecretInput.lines(ofFile: path).first ?? ""
      } else {
        try SecretInput.ask(
          "Verification code of \(serial) (six letters on its label)", orGive: "--code-file FILE")
      }
    let code = try VerificationCode(text)
    let name = arguments.value("name")
    let device = try await Progress.during("Asking the device") {
      try await session.add(serial, code: code, name: name)
    }
    try output.answer(
      device.record, text: "Added \(device.name). Watch it with: oriel live \(serial) --window")
  }

  private static func probe(_ serial: DeviceSerial, _ session: Session, _ output: Output) async throws {
    let found = try await Progress.during("Looking for \(serial)") { try await session.probe(serial) }
    try output.answer(
      found,
      text:
        "\(found.name) (\(found.model) \(found.version)) is online and free. Add it with: oriel devices add \(serial)"
    )
  }

  private static func info(_ serial: DeviceSerial, _ session: Session, _ output: Output) async throws {
    let record = try await Progress.during("Asking the platform") { try await session.device(serial) }.record
    try output.answer(record, text: text(of: record))
  }

  private static func text(of record: DeviceRecord) -> String {
    var lines = [
      "\(record.name) (\(record.serial))",
      "  status      \(record.status == .online ? "online" : "offline")",
      "  model       \(record.model) \(record.version)",
      "  encrypted   \(record.isEncrypted ? "yes" : "no")",
    ]
    for camera in record.cameras {
      lines.append("  camera \(camera.cameraNo)    \(camera.name)")
      if !camera.mainStream.isEmpty { lines.append("    main      \(camera.mainStream)") }
      if !camera.subStream.isEmpty { lines.append("    sub       \(camera.subStream)") }
      switch camera.delivery {
      case .passedOn: lines.append("    delivery  the source's own video is passed on")
      case .encoded: lines.append("    delivery  encoded once for all viewers")
      case nil: break
      }
      if let note = camera.note { lines.append("    note      \(note)") }
    }
    return lines.joined(separator: "\n")
  }
}

/// The session that a command works with.
enum SignedIn {
  /// - Throws: `OrielError` 730004 when nobody is signed in at that platform.
  static func session(_ arguments: Arguments) throws -> Session {
    let session = try Session(server: arguments.value("server").map { try ServerAddress($0) })
    guard session.accessToken != nil else { throw OrielError(.notSignedIn) }
    return session
  }
}
