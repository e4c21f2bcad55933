// A program that imports OrielKit has the words of its interface too: serials, levels, errors, addresses.
@_exported public import OrielModel

@_exported public import struct OrielMedia.ClipSummary
@_exported public import struct OrielMedia.VideoFrame
@_exported public import struct OrielNet.ServerAddress
