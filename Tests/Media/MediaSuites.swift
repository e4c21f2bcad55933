import Testing

/// One test at a time: most of them encode in real time, and one counts threads.
@Suite(.serialized) enum MediaSuites {}
