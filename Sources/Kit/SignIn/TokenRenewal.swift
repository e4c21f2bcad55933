import Foundation
import OrielModel
import Synchronization

/// Renews a session's token when half of its time is over, for as long as the session lives.
final class TokenRenewal: Sendable {
  private let work = Mutex<Task<Void, Never>?>(nil)

  /// After a try that failed: the platform may be away for hours.
  static let retryPause = Duration.seconds(60)

  deinit { stop() }

  func stop() { work.withLock { $0.take() }?.cancel() }

  func keep(_ token: RenewableToken, appKey: String, of session: Session) {
    let task = Task { [weak session] in
      var token = token
      while !Task.isCancelled {
        let rest = token.expireTime - Int64(Date().timeIntervalSince1970 * 1000)
        do { try await Task.sleep(for: .milliseconds(max(rest / 2, 1_000))) } catch { return }
        // Another sign-in, or a sign-out, has taken its place.
        guard let now = session, now.accessToken == token.accessToken else { return }
        do {
          token = try await now.client.token([
            ("grant_type", "refresh_token"), ("client_id", appKey), ("refresh_token", token.refreshToken),
          ])
          guard !Task.isCancelled, now.accessToken != nil else { return }
          now.setAccessToken(token.accessToken)
        } catch let error as OrielError where error.isPointlessToRepeat {
          return
        } catch {
          guard (try? await Task.sleep(for: Self.retryPause)) != nil else { return }
        }
      }
    }
    work.withLock { old in
      old?.cancel()
      old = task
    }
  }
}
