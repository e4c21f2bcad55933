import Foundation
import OrielKit
import OrielModel

extension CommandDescription {
  static let login = CommandDescription(
    "login", summary: "sign in and remember the platform",
    details: """
      Signs in to a platform and keeps its address, the fingerprint of its key and an access token in
      ~/.config/oriel/profile.json, which only you can read. The other commands use it from then on.
      The password is asked for; it is not kept.

        oriel login                                             the platform of `make run` on this machine
        oriel login --server 'https://host:7443#sha256//...'    another one; `oriel platform` prints this address
        oriel login --forget                                    sign out and forget
      """,
    options: [
      .value("server", "ADDRESS", "where the platform is; ORIEL_SERVER when not given, else this machine"),
      .value("account", "NAME", "the account; admin when not given"),
      .value("password-file", "FILE", "read the password from the first line of a file instead of asking"),
      .flag("forget", "sign out on the platform and remove the profile"), .json,
    ],
    run: LoginCommand.run)
}

extension CommandDescription.Option {
  static let json = flag("json", "answer as JSON")
}

enum LoginCommand {
  struct Answer: Encodable {
    let server: String
    let account: String
    let expireTime: Int64
  }

  @Sendable static func run(_ arguments: Arguments) async throws {
    let output = Output(arguments)
    if arguments.has("forget") {
      let server = try await forget()
      return try output.answer(
        ["signedOut": server].compactMapValues { $0 },
        text: server.map { "Signed out of \($0)." } ?? "Nobody was signed in.")
    }
    let given = try arguments.value("server").map { try ServerAddress($0) }
    let account = arguments.value("account") ?? "admin"
    let session = try Session(server: given)
    session.setAccessToken(nil)
    let password =
      if let path = arguments.value("password-file") {
        try SecretInput.lines(ofFile: path).first ?? ""
      } else {
        try SecretInput.ask(
          "Password of \(account) at \(session.server.origin)", orGive: "--password-file FILE")
      }
    let token = try await Progress.during("Signing in") {
      try await session.signIn(account: account, password: password)
    }
    try ServerProfile(
      server: session.server, account: token.account, accessToken: token.accessToken,
      expireTime: token.expireTime
    ).save()
    await session.close()
    try output.answer(
      Answer(server: session.server.description, account: token.account, expireTime: token.expireTime),
      text: "Signed in to \(session.server.origin) as \(token.account), until \(token.expiry.formatted()).")
  }

  /// - Returns: the platform that was signed out of.
  private static func forget() async throws -> String? {
    // A damaged one is forgotten too.
    let profile = try? ServerProfile.load()
    if let profile {
      let session = try Session(server: profile.server, accessToken: profile.accessToken)
      try? await Progress.during("Signing out") { try await session.signOut() }
      await session.close()
    }
    try ServerProfile.remove()
    return profile?.server.origin
  }
}
