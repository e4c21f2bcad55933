/// Where protected datagrams leave: the selected candidate pair of a peer connection.
@RTCActor
protocol DatagramPath: AnyObject {
  /// Sends `bytes` as datagrams of `segmentSize` bytes, the last of which may be shorter.
  ///
  /// On a direct pair more than one segment is one `sendmsg` with `UDP_SEGMENT`; on a relayed pair, over
  /// TCP, or where the kernel refuses, each segment is sent by itself. Never blocks; what cannot be sent
  /// is lost, as on any network.
  func send(_ bytes: UnsafeRawBufferPointer, segmentSize: Int)
}
