// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ManualDemo",
  dependencies: [.package(name: "oriel-platform", path: "../..")],
  targets: [
    .executableTarget(
      name: "ManualDemo", dependencies: [.product(name: "EZOpenSDKFramework", package: "oriel-platform")])
  ]
)
