import EZOpenSDKFramework
import Foundation
import IVSDK
import OrielModel
import Testing

@testable import EZOpenSDKFramework

/// The class methods, as a program of the vendor's library spells them.
extension LibraryTests {
  @Suite struct FacadeTests {
    @Test func theLibraryIsSetUpAndTakenDown() {
      EZGlobalSDK.destoryLib()
      #expect(EZGlobalSDK.createPlayer(withDeviceSerial: "O00000001", cameraNo: 1) == nil)
      #expect(!EZGlobalSDK.initLib(withAppKey: nil))
      #expect(!EZGlobalSDK.initLib(withAppKey: ""))
      #expect(!EZGlobalSDK.initLib(withAppKey: "key", url: "http://192.0.2.1:7080", authUrl: nil))
      #expect(
        EZGlobalSDK.initLib(withAppKey: "key", url: "http://127.0.0.1:9", authUrl: "http://127.0.0.1:9"))
      EZGlobalSDK.setAccessToken("at.test")
      #expect(EZGlobalSDK.isLogin())
      #expect(EZGlobalSDK.getAccesstoken() == "at.test")
      #expect(EZOpenSDK.getAccesstoken() == "at.test")
      EZGlobalSDK.setAccessToken(nil)
      #expect(!EZGlobalSDK.isLogin())
      #expect(EZGlobalSDK.getVersion()!.isEmpty == false)
      #expect(EZGlobalSDK.destoryLib())
      #expect(!EZGlobalSDK.destoryLib())
    }

    @Test func theManualsOneLinerCompilesAndAnswers() {
      EZGlobalSDK.initLib(withAppKey: "key", url: "http://127.0.0.1:9", authUrl: nil)
      #expect(EZGlobalSDK.createPlayer(withDeviceSerial: "O00000001", cameraNo: 1)?.startRealPlay() == true)
      EZGlobalSDK.destoryLib()
      #expect(EZGlobalSDK.createPlayer(withDeviceSerial: "O00000001", cameraNo: 1)?.startRealPlay() == nil)
    }

    @Test func anErrorCarriesItsNumberAndWhatToDo() async {
      EZGlobalSDK.initLib(withAppKey: "key", url: "http://127.0.0.1:9", authUrl: nil)
      EZGlobalSDK.setAccessToken("at.test")
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      let (code, solution, module, onMain) = await withCheckedContinuation { continuation in
        EZGlobalSDK.probeDeviceInfo("O00000001") { info, error in
          let error = error as NSError?
          continuation.resume(
            returning: (
              error?.code, error?.userInfo[EZErrorSolutionKey] as? String,
              error?.userInfo[EZErrorModuleCodeKey] as? String, DispatchQueue.getSpecific(key: key)
            ))
        }
      }
      #expect(code == 730_001)
      #expect(solution?.isEmpty == false)
      #expect(module == "730001")
      #expect(onMain == true)
      EZGlobalSDK.destoryLib()
    }

    @Test func argumentsAreCheckedBeforeAnythingIsSent() async {
      EZGlobalSDK.initLib(withAppKey: "key", url: "http://127.0.0.1:9", authUrl: nil)
      EZGlobalSDK.setAccessToken("at.test")
      func code(_ call: (@escaping ((any Error)?) -> Void) -> Void) async -> Int? {
        await withCheckedContinuation { continuation in
          call { continuation.resume(returning: ($0 as NSError?)?.code) }
        }
      }
      #expect(await code { done in EZGlobalSDK.getDeviceInfo(nil) { _, error in done(error) } } == 120_014)
      #expect(
        await code { done in EZGlobalSDK.addDevice("O00000001", verifyCode: "12", completion: done) }
          == 120_010)
      #expect(
        await code { done in EZGlobalSDK.getDeviceList(-1, pageSize: 20) { _, _, error in done(error) } }
          == 400_002)
      #expect(
        await code { done in
          EZGlobalSDK.setVideoLevel("O00000001", cameraNo: 1, videoLevel: 9, completion: done)
        } == 400_002)
      #expect(
        await code { done in
          EZOpenSDK.setVideoLevel("O00000001", cameraNo: 1, videoLevel: .high, completion: done)
        } == 730_001)
      EZGlobalSDK.destoryLib()
      #expect(await code { done in EZGlobalSDK.deleteDevice("O00000001", completion: done) } == 730_005)
    }

    @Test func theNumbersAreThoseOfTheHeaders() {
      #expect(EZ_HTTPS_DEVICE_ADDED_MYSELF == 120_017)
      #expect(EZ_HTTPS_DEVICE_ONLINE_IS_ADDED == 120_022)
      #expect(EZ_HTTPS_DEVICE_OFFLINE_NOT_ADDED == 120_023)
      #expect(EZ_SDK_NEED_VALIDATECODE == 400_035)
      #expect(EZ_SDK_VALIDATECODE_NOT_MATCH == 400_036)
      #expect(EZMessageCode.PLAYER_REALPLAY_START.rawValue == 1)
      #expect(EZVideoLevelType.superHigh.rawValue == 3)
      // Where the error table of the house has a name of the headers, both agree on the number.
      for code in EZErrorCode.allCases {
        guard let known = ErrorCode(rawValue: code.rawValue), known.entry.name.hasPrefix("EZ_") else {
          continue
        }
        #expect(known.entry.name == "\(code)")
      }
    }

    @Test func aDeviceIsDescribedInTheManualsTerms() throws {
      let camera = CameraRecord(cameraNo: 1, name: "Door", videoLevel: .low, subStream: "H264 640x360 15/s")
      let record = DeviceRecord(
        serial: try DeviceSerial("O12345678"), name: "House", model: "oriel-agent", version: "1",
        status: .offline,
        talk: .fullDuplex, addTime: 1_700_000_000_000, cameras: [camera])
      let info = EZDeviceInfo(record)
      #expect(info.status == 2)
      #expect(info.isSupportTalk == 1)
      #expect(info.cameraNum == 1)
      #expect(info.addTime == Date(timeIntervalSince1970: 1_700_000_000))
      let first = try #require(info.cameraInfo.first as? EZCameraInfo)
      #expect(first.videoLevel == 0)
      let qualities = try #require(first.videoQualityInfos as? [EZVideoQualityInfo])
      #expect(qualities.map(\.streamType) == [2, 1])
    }
  }
}
