import Foundation
import OrielNet

/// The web console's files.
struct ConsoleFiles: Sendable {
  private let folder: String?

  /// - Parameter folder: nil or a folder that does not exist: nothing is served.
  init(folder: String?) {
    guard let folder, let resolved = realpath(folder, nil) else {
      self.folder = nil
      return
    }
    defer { free(resolved) }
    self.folder = String(cString: resolved)
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "json": "application/json", "webmanifest": "application/manifest+json", "svg": "image/svg+xml",
    "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "ico": "image/x-icon",
    "woff2": "font/woff2", "txt": "text/plain; charset=utf-8", "wav": "audio/wav", "mp3": "audio/mpeg",
  ]

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return HTTPResponse(status: 405, headers: ["Allow": "GET, HEAD"])
    }
    guard let (path, type) = file(for: request.path == "/" ? "/index.html" : request.path) else {
      return .text("not found\n", status: 404)
    }
    var response = HTTPResponse.file(path: path, contentType: type)
    // Asked for each time and answered 304: an update shows at once.
    response.headers["Cache-Control"] = "no-cache"
    return response
  }

  /// A file of a known kind below the folder; links must not lead out of it.
  private func file(for path: String) -> (String, String)? {
    guard let folder else { return nil }
    let names = path.split(separator: "/")
    let isPlain = names.allSatisfy { name in
      name.first != "."
        && name.utf8.allSatisfy {
          switch $0 {
          case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
          default: false
          }
        }
    }
    guard isPlain, names.count <= 8, let name = names.last, let dot = name.lastIndex(of: "."),
      let type = Self.types[name[name.index(after: dot)...].lowercased()],
      let resolved = realpath(folder + "/" + names.joined(separator: "/"), nil)
    else { return nil }
    defer { free(resolved) }
    let real = String(cString: resolved)
    return real.hasPrefix(folder + "/") ? (real, type) : nil
  }
}
