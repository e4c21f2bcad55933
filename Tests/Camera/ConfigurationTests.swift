import Foundation
import OrielMedia
import OrielModel
import OrielNet
import Testing

@testable import OrielCamera

@Suite struct ConfigurationTests {
  @Test(arguments: ["test", "test:640x360@15", "rtsp://camera/live", "/dev/video0", "clip.mp4"])
  func addressesOfAllKindsAreTaken(_ address: String) throws {
    #expect(throws: Never.self) { try CameraSourceConfiguration(address: address).location() }
  }

  @Test func credentialsComeBesideTheAddressNeverInside() throws {
    let secret = SourceCredentials(user: "u", password: "p")
    let location = try CameraSourceConfiguration(address: "rtsp://camera/live", credentials: secret)
      .location()
    #expect(
      location == .rtsp(address: "rtsp://camera/live", credentials: Credentials(user: "u", password: "p")))
    let error = #expect(throws: OrielError.self) {
      try CameraSourceConfiguration(address: "rtsp://u:hidden@camera/live").location()
    }
    #expect(error?.code == .sourceAddressInvalid)
    #expect("\(String(describing: error))".contains("hidden") == false)
  }

  @Test func credentialsAreReadFromBothForms() throws {
    #expect(try SourceCredentials(text: "u:p:q\n") == SourceCredentials(user: "u", password: "p:q"))
    #expect(try SourceCredentials(text: "u\r\np:q\r\n") == SourceCredentials(user: "u", password: "p:q"))
    for text in ["", "\n", "word", "a\nb\nc"] {
      #expect(throws: OrielError.self) { try SourceCredentials(text: text) }
    }
    #expect("\(try SourceCredentials(text: "u:secret"))" == "******")
  }

  @Test func anAgentWantsAtLeastOneCameraAndGoodAddresses() throws {
    let folder = try TemporaryFolder()
    let platform = try ServerAddress("http://127.0.0.1:1")
    for (sources, code) in [
      ([], ErrorCode.argumentError), (Array(repeating: "test", count: 65), .argumentError),
      (["http://x"], .sourceAddressInvalid),
    ] {
      let error = #expect(throws: OrielError.self) {
        try CameraAgent(
          configuration: AgentConfiguration(
            dataFolder: folder.path, sources: sources.map { CameraSourceConfiguration(address: $0) },
            platform: platform))
      }
      #expect(error?.code == code)
    }
  }
}
