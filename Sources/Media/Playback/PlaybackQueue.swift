/// What was read and is still to be sent, in the order of time.
struct PlaybackQueue: Sendable {
  struct Item: Sendable {
    var sample: PlaybackSample
    /// Nothing was recorded in this time before it.
    var gap: Range<Int64>?
  }

  private var items: [Item] = []
  private var head = 0

  var first: Item? { head < items.count ? items[head] : nil }
  var isEmpty: Bool { head == items.count }

  mutating func append(_ item: Item) { items.append(item) }

  mutating func removeFirst() {
    head += 1
    if head > 256, head * 2 > items.count {
      items.removeFirst(head)
      head = 0
    }
  }

  mutating func removeAll() {
    items = []
    head = 0
  }

  /// For a speed at which nothing else is sent.
  mutating func keepKeyFrames() {
    var gap: Range<Int64>?
    var kept: [Item] = []
    for var item in items[head...] {
      gap = item.gap ?? gap
      guard item.sample.unit?.isKeyFrame == true else { continue }
      item.gap = gap
      gap = nil
      kept.append(item)
    }
    items = kept
    head = 0
  }
}
