/// What a feed knows of a packet besides its payload.
struct FeedPacket {
  var timestamp: UInt32
  /// Counts the access units of the feed.
  var unit: UInt32
  var length: UInt16
  var marker: Bool
  var startsUnit: Bool
  var startsGroup: Bool
}
