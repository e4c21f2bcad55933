/// What this machine lacks for media.
public enum MediaInstallation {
  /// Sentences in plain words, one for each thing that is missing; empty when all is there.
  public static func check() -> [String] { [] }
}
