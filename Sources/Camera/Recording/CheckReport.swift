/// What a check of a recordings folder found.
public struct CheckReport: Sendable, Codable, Equatable {
  /// One thing that is not as it should be.
  public struct Finding: Sendable, Codable, Equatable {
    public enum Kind: String, Sendable, Codable {
      /// The index is missing or damaged: it is made anew from the files.
      case indexLost
      /// A recording that the index does not know: it is entered.
      case fileWithoutEntry
      /// The index knows a recording that is gone: it is forgotten.
      case entryWithoutFile
      /// Times or size are not what the file holds: the entry is set right.
      case wrongEntry
      /// The writing was cut: what is after the last whole fragment is taken off.
      case torn
      /// No picture came into it: it is removed.
      case empty
      /// What lies there is no recording, or not one that can be read: it is put into `damaged`.
      case notARecording
      /// Another recording holds the same time: it is put into `damaged`.
      case overlap
    }

    public var kind: Kind
    /// Within the recordings folder.
    public var path: String
    public var isMended: Bool
  }

  /// Recordings that were read.
  public var files = 0
  /// Bytes of them.
  public var bytes: Int64 = 0
  public var findings: [Finding] = []

  public var isSound: Bool { findings.allSatisfy(\.isMended) }
}
