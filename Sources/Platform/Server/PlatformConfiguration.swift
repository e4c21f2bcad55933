public import OrielModel

/// Where a platform listens, keeps its state and sends its viewers for relays.
public struct PlatformConfiguration: Sendable {
  /// An address to listen on.
  public struct Listener: Sendable, Equatable {
    /// A numeric address or a name of this machine.
    public var host: String
    /// 0 = any free port.
    public var port: UInt16
    /// Plain HTTP is refused beyond loopback.
    public var isTLS: Bool

    public init(host: String, port: UInt16, isTLS: Bool) {
      self.host = host
      self.port = port
      self.isTLS = isTLS
    }

    /// Port 7080 on loopback, plain.
    public static let loopback = Listener(host: "127.0.0.1", port: 7080, isTLS: false)
    /// Port 7443 on every IPv4 address, TLS.
    public static let network = Listener(host: "0.0.0.0", port: 7443, isTLS: true)
  }

  /// Where the certificate of the TLS listeners comes from.
  public enum Certificate: Sendable, Equatable {
    /// Made at the first start in the data folder, for these host names and numeric addresses.
    case generated(names: [String])
    /// PEM files: the chain and its key.
    case files(certificate: String, key: String)
  }

  /// A TURN server that shares a secret with the platform (coturn's `use-auth-secret`).
  public struct TURN: Sendable {
    /// Such as "turn:relay.example:3478?transport=udp".
    public var urls: [String]
    /// The shared secret. Read it from a file or the environment, never from an argument.
    public var secret: String
    /// How long a credential is good for.
    public var lifetime: Duration

    public init(urls: [String], secret: String, lifetime: Duration = .seconds(3600)) {
      self.urls = urls
      self.secret = secret
      self.lifetime = lifetime
    }
  }

  /// Recordings that cameras upload.
  public struct Cloud: Sendable {
    /// How long a recording is kept after it ended, where an account has no time of its own.
    public var retention: Duration
    /// Bytes that an account may use, where it has no quota of its own.
    public var quota: Int64
    /// nil: files in the data folder.
    public var bucket: Bucket?

    public init(
      retention: Duration = .seconds(7 * 86_400), quota: Int64 = 10_000_000_000, bucket: Bucket? = nil
    ) {
      self.retention = retention
      self.quota = quota
      self.bucket = bucket
    }

    /// A bucket that recordings are kept in.
    public struct Bucket: Sendable {
      public var location: S3Location
      /// Read them from a file, never from an argument.
      public var credentials: S3Credentials

      public init(location: S3Location, credentials: S3Credentials) {
        self.location = location
        self.credentials = credentials
      }
    }

    var limits: CloudLimits { CloudLimits(retention: retention, quota: quota) }
  }

  /// Made when it is absent, 0700. One platform at a time.
  public var dataFolder: String
  public var listeners: [Listener]
  public var certificate: Certificate
  /// The web console's folder; nil = none is served.
  public var consoleFolder: String?
  /// Reflectors such as "stun:relay.example:3478".
  public var stunURLs: [String]
  public var turn: TURN?
  /// nil: cameras cannot upload.
  public var cloud: Cloud? = Cloud()
  /// Names under which a proxy on this machine forwards to the plain listener, beside loopback's. With any, the
  /// last address in `X-Forwarded-For` counts as the client's: the proxy must write it.
  public var publicNames: [String]
  /// Connections that one address may hold: a site behind one router, or a proxy, brings many devices.
  public var connectionsPerAddress = 8_192
  /// What `getAreaList` offers. One area is what most platforms have.
  public var areas: [Area]

  /// A region, with a platform of its own or this one.
  public struct Area: Sendable, Equatable {
    public var name: String
    /// Where its platform is; nil: here.
    public var address: ServerAddress?

    public init(name: String, address: ServerAddress? = nil) {
      self.name = name
      self.address = address
    }
  }

  public init(
    dataFolder: String, listeners: [Listener] = [.loopback],
    certificate: Certificate = .generated(names: []), consoleFolder: String? = nil,
    stunURLs: [String] = [], turn: TURN? = nil, publicNames: [String] = [],
    areas: [Area] = [Area(name: "Local")]
  ) {
    self.dataFolder = dataFolder
    self.listeners = listeners
    self.certificate = certificate
    self.consoleFolder = consoleFolder
    self.stunURLs = stunURLs
    self.turn = turn
    self.publicNames = publicNames
    self.areas = areas
  }
}
