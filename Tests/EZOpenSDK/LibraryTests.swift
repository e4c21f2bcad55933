import Testing

/// Everything that sets the library up or takes it down: it has one state in a process, so one test at a time.
@Suite(.serialized, .timeLimit(.minutes(1)))
enum LibraryTests {}
