import CEvent
import Foundation
import OrielModel

/// A listening socket of the loop's thread.
final class Listener {
  let address: SocketAddress
  private let loop: EventLoop
  private let onAccept: (Int32, ResolvedAddress) -> Void
  private var listener: OpaquePointer?
  private var resume: LoopTimer?

  init(loop: EventLoop, _ configured: HTTPListener, onAccept: @escaping (Int32, ResolvedAddress) -> Void)
    throws
  {
    let wanted = SocketAddress(host: configured.host, port: configured.port)
    guard
      let local = ResolvedAddress.resolve(configured.host, port: configured.port, passive: true).first
    else { throw OrielError(.argumentError, "no address of this machine: \(configured.host)") }
    guard configured.tls != nil || ServerAddress.isLoopback(local.socketAddress.host) else {
      throw OrielError(.argumentError, "plain HTTP listens on loopback only, not on \(wanted)")
    }
    let flags =
      LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_REUSEABLE
    let made: OpaquePointer? = local.withPointer { pointer, length in
      evconnlistener_new_bind(loop.base, nil, nil, flags, 1024, pointer, length)
    }
    guard let made else {
      let reason = String(cString: strerror(errno))
      throw OrielError(.addressInUse, "\(wanted): \(reason)")
    }
    self.loop = loop
    self.onAccept = onAccept
    address = ResolvedAddress.local(of: evconnlistener_get_fd(made))?.socketAddress ?? wanted
    listener = made
    evconnlistener_set_cb(made, Self.onConnection, Unmanaged.passUnretained(self).toOpaque())
    evconnlistener_set_error_cb(made, Self.onError)
    resume = LoopTimer(loop: loop) { [unowned self] in evconnlistener_enable(listener) }
  }

  deinit { if let listener { evconnlistener_free(listener) } }

  private static let onConnection: evconnlistener_cb = { _, descriptor, address, length, context in
    guard let context, let address else { return }
    let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
    listener.onAccept(descriptor, ResolvedAddress(address, length: Int(length)))
  }

  /// Out of descriptors, most likely: accepting again at once would only burn the processor.
  private static let onError: evconnlistener_errorcb = { _, context in
    guard let context else { return }
    let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
    evconnlistener_disable(listener.listener)
    listener.resume?.set(milliseconds: 500)
  }
}
