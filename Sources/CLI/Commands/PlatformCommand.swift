import Foundation
import OrielModel
import OrielPlatform

extension CommandDescription {
  static let platform = CommandDescription(
    "platform", summary: "run the server: accounts, devices, signalling, web console",
    details: """
      Runs the platform until Ctrl-C. It listens on this machine only (plain HTTP on 127.0.0.1:7080) unless --listen
      names an address; there it speaks TLS, with a certificate of yours or one that it makes, and prints the address
      with the fingerprint of its key, as the other commands take it.
      The first start makes the account `admin`; its password is shown once on a terminal, else written to a file.

        oriel platform                          this machine only
        oriel platform --listen 0.0.0.0         the network too, TLS on port 7443
        oriel platform --listen 192.168.1.5 --certificate chain.pem --key key.pem
        oriel platform --cloud s3://recordings@s3.example --cloud-credentials FILE

      Recordings that cameras upload are kept as files in the data folder, or in the bucket of a server that speaks S3;
      FILE, which only its owner may read, holds the access key on the first line and the secret on the second.
      """,
    options: [
      .value("port", "N", "the plain port on loopback (7080; 0 takes any free one)"),
      .value("listen", "ADDRESS", "listen with TLS on this address too; may be repeated"),
      .value("tls-port", "N", "the TLS port (7443; 0 takes any free one)"),
      .value("certificate", "FILE", "PEM certificate chain for TLS"),
      .value("key", "FILE", "PEM key for TLS"),
      .value("host-name", "NAME", "a name in the certificate that is made; may be repeated"),
      .value("data", "FOLDER", "where accounts and devices are kept"),
      .value("stun", "URL", "a STUN server for viewers and cameras, such as stun:host:3478; may be repeated"),
      .value("turn", "URL", "a TURN server, such as turn:host:3478?transport=udp; may be repeated"),
      .value("turn-secret-file", "FILE", "the secret shared with the TURN server"),
      .value("cloud", "WHERE", "files, s3://BUCKET@HOST[:PORT][/PREFIX][?region=REGION], or off (files)"),
      .value("cloud-credentials", "FILE", "the bucket's access key and secret"),
      .value("cloud-days", "N", "how long recordings are kept, where an account has no time of its own (7)"),
      .value("cloud-quota", "GB", "how much an account may store, where it has no quota of its own (10)"),
      .value("connections-per-address", "N", "how many connections one address may hold (1024)"),
      .value(
        "area", "NAME[=ADDRESS]",
        "a region that programs may choose, here or another platform; may be repeated"),
      .value("console", "FOLDER", "the web console's files"),
      .json,
    ],
    run: PlatformCommand.run)
}

enum PlatformCommand {
  /// What `--json` prints once at the start.
  private struct Answer: Encodable {
    let addresses: [String]
    let fingerprint: String?
    let passwordFile: String?
    let applicationFile: String?
  }

  @Sendable static func run(_ arguments: Arguments) async throws {
    let output = Output(arguments)
    let server = PlatformServer(configuration: try configuration(arguments))
    let addresses = try await Progress.during("Starting") { try await server.start() }
    let passwordFile = report(addresses, output)
    if output.isJSON {
      try output.answer(
        Answer(
          addresses: addresses.addresses, fingerprint: addresses.fingerprint, passwordFile: passwordFile,
          applicationFile: addresses.firstStart?.applicationFile), text: "")
    }
    await Interruption.wait()
    await server.drain()
  }

  /// Tells where it listens and, at the first start, the account. The password goes to a terminal, else to a file.
  /// - Returns: the file with the password, when one was written.
  static func report(_ addresses: PlatformAddresses, _ output: Output) -> String? {
    let isTerminal = isatty(STDOUT_FILENO) == 1 && !output.isJSON
    var passwordFile: String?
    if let first = addresses.firstStart {
      if isTerminal {
        let line = "Account \(first.account), password \(first.password)   (shown this once)"
        if Output.line(line) { first.removePasswordFile() }
      } else {
        passwordFile = first.passwordFile
        if !output.isJSON {
          Output.line("Account \(first.account), its password is in \(first.passwordFile)")
        }
      }
      if !output.isJSON { Output.line("appKey \(first.appKey), its secret is in \(first.applicationFile)") }
    }
    if !output.isJSON {
      for address in addresses.addresses {
        let parts = address.split(separator: "#", maxSplits: 1)
        Output.line("Console     \(parts[0])/")
        if parts.count == 2 { Output.line("Agents use  '\(address)'") }
      }
    }
    return passwordFile
  }

  static func configuration(_ arguments: Arguments) throws -> PlatformConfiguration {
    var configuration = PlatformConfiguration(dataFolder: arguments.value("data") ?? Folders.data("platform"))
    let port = try arguments.integer("port", in: 0...65_535) ?? 7080
    let tlsPort = try arguments.integer("tls-port", in: 0...65_535) ?? 7443
    let plain = PlatformConfiguration.Listener(host: "127.0.0.1", port: UInt16(port), isTLS: false)
    configuration.listeners =
      [plain] + arguments.all("listen").map { .init(host: $0, port: UInt16(tlsPort), isTLS: true) }
    switch (arguments.value("certificate"), arguments.value("key")) {
    case (let certificate?, let key?): configuration.certificate = .files(certificate: certificate, key: key)
    case (nil, nil): configuration.certificate = .generated(names: arguments.all("host-name"))
    default: throw UsageError(message: "--certificate and --key belong together.")
    }
    if !arguments.all("area").isEmpty {
      configuration.areas = try arguments.all("area").map { text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard let name = parts.first, !name.isEmpty else {
          throw UsageError(message: "--area is NAME or NAME=ADDRESS, not '\(text)'.")
        }
        return .init(name: name, address: parts.count == 2 ? try ServerAddress(parts[1]) : nil)
      }
    }
    configuration.stunURLs = arguments.all("stun")
    if !arguments.all("turn").isEmpty {
      guard let file = arguments.value("turn-secret-file"),
        let secret = try SecretInput.lines(ofFile: file).first
      else { throw UsageError(message: "--turn needs --turn-secret-file.") }
      configuration.turn = PlatformConfiguration.TURN(urls: arguments.all("turn"), secret: secret)
    }
    if let connections = try arguments.integer("connections-per-address", in: 1...100_000) {
      configuration.connectionsPerAddress = connections
    }
    configuration.cloud = try cloud(arguments)
    configuration.consoleFolder = arguments.value("console") ?? Folders.console
    return configuration
  }

  private static func cloud(_ arguments: Arguments) throws -> PlatformConfiguration.Cloud? {
    let place = arguments.value("cloud") ?? "files"
    guard place != "off" else { return nil }
    var cloud = PlatformConfiguration.Cloud()
    if let days = try arguments.integer("cloud-days", in: 1...3_650) {
      cloud.retention = .seconds(days * 86_400)
    }
    if let gigabytes = try arguments.integer("cloud-quota", in: 1...1_000_000) {
      cloud.quota = Int64(gigabytes) * 1_000_000_000
    }
    guard place != "files" else { return cloud }
    guard let file = arguments.value("cloud-credentials") else {
      throw UsageError(message: "--cloud with a bucket needs --cloud-credentials.")
    }
    cloud.bucket = .init(
      location: try S3Location(place), credentials: try S3Credentials(contentsOfFile: file))
    return cloud
  }
}
