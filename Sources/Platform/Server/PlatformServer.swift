import OrielModel

/// The server: accounts, devices, who may see what, and the introduction of viewers to cameras.
///
/// Media does not pass through it.
public actor PlatformServer {
  private let configuration: PlatformConfiguration

  public init(configuration: PlatformConfiguration) { self.configuration = configuration }

  /// Opens the data folder, makes the administrator at the first start, and listens.
  /// - Throws: `OrielError` 730009 when a port is in use, 730010 when the data folder or the certificate cannot
  ///   be used, 730011 when another platform uses the folder, 400002 for plain HTTP beyond loopback.
  public func start() async throws -> PlatformAddresses { throw OrielError(.serverError) }

  /// Stops: no new connections, links are told to go elsewhere, running requests finish within 5 s, and the
  /// data folder is released.
  public func drain() async {}
}
