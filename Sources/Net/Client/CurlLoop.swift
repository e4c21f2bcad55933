import CCurl
import CEvent
import CNetShims
import Foundation
import OrielModel

/// curl's transfers on the event loop: with `Transfer` the one place that touches curl.
///
/// `@unchecked Sendable`: only the loop's thread touches it.
final class CurlLoop: @unchecked Sendable {
  private let loop: EventLoop
  private let multi: UnsafeMutableRawPointer
  private var timer: LoopTimer?
  private var sockets: [Int32: OpaquePointer] = [:]
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]

  private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init?(loop: EventLoop) {
    guard Self.isReady, let multi = curl_multi_init() else { return nil }
    self.loop = loop
    self.multi = multi
    timer = LoopTimer(loop: loop) { [unowned self] in act(CURL_SOCKET_TIMEOUT, 0) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    oriel_multi_set_socket(multi, Self.onSocket, context)
    oriel_multi_set_timer(multi, Self.onTimer, context)
    oriel_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
  }

  deinit { close() }

  func start(_ transfer: Transfer) {
    transfers[transfer.easy] = transfer
    if curl_multi_add_handle(multi, transfer.easy) != CURLM_OK {
      transfers[transfer.easy] = nil
      transfer.fail(OrielError(.platformUnreachable))
    }
  }

  func cancel(_ transfer: Transfer) {
    guard transfers.removeValue(forKey: transfer.easy) != nil else { return }
    curl_multi_remove_handle(multi, transfer.easy)
    transfer.fail(OrielError(.cancelled))
  }

  private var isClosed = false

  /// Ends every transfer and connection.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for transfer in Array(transfers.values) { cancel(transfer) }
    curl_multi_cleanup(multi)
    for event in sockets.values { event_free(event) }
    sockets = [:]
    timer = nil
  }

  // MARK: curl

  private static let onSocket: curl_socket_callback = { _, socket, what, context, _ in
    guard let context else { return 0 }
    Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue().watch(socket, what)
    return 0
  }

  private static let onTimer: curl_multi_timer_callback = { _, milliseconds, context in
    guard let context else { return 0 }
    let curl = Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
    if milliseconds < 0 { curl.timer?.cancel() } else { curl.timer?.set(milliseconds: milliseconds) }
    return 0
  }

  private func watch(_ socket: curl_socket_t, _ what: Int32) {
    if let event = sockets.removeValue(forKey: socket) { event_free(event) }
    guard what != CURL_POLL_REMOVE else { return }
    var flags = EV_PERSIST
    if what & CURL_POLL_IN != 0 { flags |= EV_READ }
    if what & CURL_POLL_OUT != 0 { flags |= EV_WRITE }
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard let event = event_new(loop.base, socket, Int16(flags), Self.onReady, context) else { return }
    event_add(event, nil)
    sockets[socket] = event
  }

  private static let onReady: event_callback_fn = { socket, flags, context in
    guard let context else { return }
    let curl = Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
    var mask: Int32 = 0
    if Int32(flags) & EV_READ != 0 { mask |= CURL_CSELECT_IN }
    if Int32(flags) & EV_WRITE != 0 { mask |= CURL_CSELECT_OUT }
    curl.act(socket, mask)
  }

  private func act(_ socket: curl_socket_t, _ mask: Int32) {
    guard !isClosed else { return }
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, mask, &running)
    var result = CURLE_OK
    while let easy = oriel_multi_next_done(multi, &result) {
      guard let transfer = transfers.removeValue(forKey: easy) else { continue }
      curl_multi_remove_handle(multi, easy)
      transfer.finish(result)
    }
  }
}
