import OrielModel
import Testing

@Suite struct ErrorTableTests {
  @Test func everyNumberHasANameAMeaningAndARemedy() {
    for code in ErrorCode.allCases {
      #expect(!code.entry.name.isEmpty && !code.entry.meaning.isEmpty)
      #expect(!code.entry.meaning.hasSuffix("."), "\(code)")
      #expect(code.entry.remedy.hasSuffix("."), "\(code)")
    }
    let names = ErrorCode.allCases.map(\.entry.name)
    #expect(Set(names).count == names.count)
  }

  @Test func theManualsNumbersKeepTheirValue() {
    #expect(ErrorCode.verificationCodeNeeded.rawValue == 400_035)
    #expect(ErrorCode.verificationCodeMismatch.rawValue == 400_036)
    #expect(ErrorCode.deviceNotFound.rawValue == 120_002)
    #expect(ErrorCode.playbackEnded.rawValue == 380_101)
    #expect(ErrorCode.deviceAddedByMyself.rawValue == 120_017)
  }

  @Test func theHTTPNumberIsTheSDKNumberLess100000() {
    #expect(ErrorCode.deviceNotFound.apiNumber == 20_002)
    #expect(ErrorCode(apiNumber: 10_002) == .accessTokenInvalid)
    #expect(ErrorCode.verificationCodeNeeded.apiNumber == nil)
  }

  @Test func anErrorReadsAsASentenceWithItsNumber() {
    let error = OrielError(.deviceOffline)
    #expect(error.description.contains("offline") && error.description.hasSuffix("(error 120007)"))
  }
}
