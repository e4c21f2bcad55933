import OrielModel
import Testing

@Suite struct RecordTests {
  @Test(arguments: ["123456789", "O12345678", "AB1234567", " ab1234567 "])
  func serialsAsPrintedOrTypedAreTaken(_ text: String) throws {
    #expect(try DeviceSerial(text).value.count == 9)
  }

  @Test(arguments: [
    "", "12345678", "1234567890", "ABC123456", "12345678A", "O1234567é", "../../etc", "O1234567\u{0}",
  ])
  func anythingElseIsNoSerial(_ text: String) {
    #expect(throws: OrielError(.illegalDeviceSerial)) { try DeviceSerial(text) }
  }

  @Test func aRandomSerialIsASerial() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let serial = DeviceSerial.random(using: &generator)
      #expect(try DeviceSerial(serial.value) == serial)
    }
  }

  @Test func aCodeIsSixLettersAndNeverDescribesItself() throws {
    let code = try VerificationCode("abcdef")
    #expect(code.letters == "ABCDEF")
    #expect("\(code)" == "******" && String(reflecting: code) == "******")
    #expect(!String(describing: Mirror(reflecting: code)).contains("ABCDEF"))
    for wrong in ["", "ABCDE", "ABCDEFG", "ABCD1F", "ÄBCDEF"] {
      #expect(throws: OrielError(.wrongVerificationCode)) { try VerificationCode(wrong) }
    }
  }

  @Test func aLevelBelowHDComesFromTheSubStream() {
    #expect(VideoLevel.low.stream == .sub && VideoLevel.middle.stream == .sub)
    #expect(VideoLevel.high.stream == .main && VideoLevel.superHigh.stream == .main)
  }
}
