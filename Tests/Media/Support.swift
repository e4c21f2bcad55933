import Foundation
import OrielMedia

/// UTC in milliseconds.
func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

/// Sends an access unit through packets without a loss.
func carry(_ unit: AccessUnit, _ packetizer: inout VideoPacketizer, _ depacketizer: inout VideoDepacketizer)
  -> [AccessUnit]
{
  let batch = packetizer.packetize(unit)
  let ticks = UInt32(truncatingIfNeeded: Int64(unit.timestamp / .microseconds(1)) * 9 / 100)
  var units: [AccessUnit] = []
  batch.bytes.withUnsafeBytes { all in
    var position = 0
    for (index, length) in batch.lengths.enumerated() {
      let payload = UnsafeRawBufferPointer(rebasing: all[position..<position + length])
      position += length
      if let whole = depacketizer.push(
        payload: payload, timestamp: ticks, marker: index == batch.lengths.count - 1)
      {
        units.append(whole)
      }
    }
  }
  return units
}

/// Runs a program to its end and gives what it printed, errors included.
func run(_ program: String, _ arguments: [String]) throws -> String {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return text.trimmingCharacters(in: .whitespacesAndNewlines)
}
