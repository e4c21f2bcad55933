import OrielMedia

/// What happens to an access unit between source and packetizer: nothing, or sealing (stream encryption).
protocol AccessUnitTransform: Sendable {
  mutating func transform(_ unit: AccessUnit) -> AccessUnit
}

/// Passes access units on as they are.
struct IdentityTransform: AccessUnitTransform {
  func transform(_ unit: AccessUnit) -> AccessUnit { unit }
}
