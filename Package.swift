// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A room of the house: a folder of `Sources/` and the rooms it may import.
func room(_ module: String, _ folder: String, imports: [Target.Dependency] = []) -> Target {
  .target(name: module, dependencies: imports, path: "Sources/\(folder)", swiftSettings: strict)
}

/// The tests of a room: `Tests/` mirrors `Sources/`.
func tests(
  _ name: String, in folder: String? = nil, of imports: Target.Dependency..., exclude: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: imports, path: "Tests/\(folder ?? name)", exclude: exclude,
    swiftSettings: strict)
}

/// A C library of Debian, seen through a module map. Only one whose headers lie in a folder of their own needs pkg-config.
func library(_ name: String, pkgConfig: String? = nil) -> Target {
  .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig)
}

/// What Swift cannot import from a C library: macros, variadic functions.
func shims(_ name: String, over libraries: Target.Dependency...) -> Target {
  .target(name: name, dependencies: libraries, path: "Sources/System/\(name)")
}

let package = Package(
  name: "oriel-platform",
  products: [
    .library(name: "OrielKit", targets: ["OrielKit"]),
    .library(name: "EZOpenSDKFramework", targets: ["EZOpenSDKFramework"]),
    .library(name: "IVSDK", targets: ["IVSDK"]),
    .library(name: "OrielRTC", targets: ["OrielRTC"]),
    .executable(name: "oriel", targets: ["oriel"]),
  ],
  targets: [
    library(
      "CGStreamer",
      pkgConfig:
        "gstreamer-1.0 gstreamer-app-1.0 gstreamer-video-1.0 gstreamer-audio-1.0 gstreamer-rtsp-1.0 gstreamer-sdp-1.0"
    ),
    library("CNice", pkgConfig: "nice"),
    library("COpenSSL"),
    library("CUsrsctp"),
    library("CEvent"),
    library("CWslay"),
    library("CCurl"),
    library("CSodium"),
    library("CSQLite"),
    library("CQREncode"),
    library("CWebRTCAudio", pkgConfig: "webrtc-audio-processing"),
    library("CSpeexDSP"),
    library("COpus", pkgConfig: "opus"),
    shims("CMediaShims", over: "CGStreamer"),
    shims("CVoiceProcessing", over: "CWebRTCAudio", "COpus"),
    shims("CRTCShims", over: "CNice", "COpenSSL", "CUsrsctp"),
    shims("CNetShims", over: "CEvent", "COpenSSL", "CWslay", "CCurl"),

    room("OrielModel", "Model"),
    room("OrielCrypto", "Crypto", imports: ["OrielModel", "COpenSSL", "CSodium"]),
    room(
      "OrielNet", "Net",
      imports: ["OrielModel", "CEvent", "CWslay", "CCurl", "COpenSSL", "CNetShims"]),
    room("OrielRTC", "RTC", imports: ["CNice", "COpenSSL", "CUsrsctp", "CRTCShims"]),
    room(
      "OrielMedia", "Media", imports: ["CGStreamer", "CMediaShims", "CVoiceProcessing", "CSpeexDSP", "COpus"]),
    room("OrielDatabase", "Database", imports: ["OrielModel", "CSQLite"]),
    room(
      "OrielPlatform", "Platform", imports: ["OrielModel", "OrielCrypto", "OrielNet", "OrielDatabase"]),
    room(
      "OrielCamera", "Camera",
      imports: [
        "OrielModel", "OrielCrypto", "OrielNet", "OrielRTC", "OrielMedia", "OrielDatabase", "CQREncode",
      ]),
    room("OrielKit", "Kit", imports: ["OrielModel", "OrielCrypto", "OrielNet", "OrielRTC", "OrielMedia"]),
    room("EZOpenSDKFramework", "EZOpenSDK", imports: ["OrielKit", "OrielModel"]),
    room("IVSDK", "IVSDK", imports: ["OrielKit", "OrielModel"]),
    .executableTarget(
      name: "oriel", dependencies: ["OrielKit", "OrielModel", "OrielCamera", "OrielPlatform"],
      path: "Sources/CLI", swiftSettings: strict),
    .executableTarget(
      name: "oriel-bench",
      dependencies: [
        "OrielKit", "OrielModel", "OrielCrypto", "OrielNet", "OrielRTC", "OrielMedia",
      ],
      path: "Benchmarks/Oriel", swiftSettings: strict),

    tests("Model", of: "OrielModel"),
    tests("Crypto", of: "OrielCrypto", "OrielModel"),
    tests("Net", of: "OrielNet", "OrielModel", exclude: ["Corpus"]),
    tests("RTC", of: "OrielRTC", exclude: ["Corpus"]),
    tests("Media", of: "OrielMedia", exclude: ["Peers", "Corpus"]),
    tests(
      "Platform", of: "OrielPlatform", "OrielModel", "OrielCrypto", "OrielNet",
      exclude: ["Corpus", "Peers"]),
    tests(
      "Camera", of: "OrielCamera", "OrielModel", "OrielCrypto", "OrielMedia", "OrielRTC", "OrielNet",
      "OrielDatabase"),
    tests("Kit", of: "OrielKit", "OrielModel", "OrielRTC", "OrielMedia", "OrielNet"),
    tests("EZOpenSDK", of: "EZOpenSDKFramework", "IVSDK", "OrielKit", "OrielModel"),
    tests(
      "EndToEnd", in: "EndToEnd/InProcess", of: "OrielKit", "OrielModel", "OrielCamera", "OrielPlatform",
      "OrielNet", "OrielRTC",
      "OrielMedia", "EZOpenSDKFramework", "IVSDK"),
  ],
  swiftLanguageModes: [.v6]
)
