// A program that imports OrielKit has the words of its interface too: serials, levels, errors, frames, clips.
// Whole modules, since Swift re-exports members only with them.
@_exported public import OrielMedia
@_exported public import OrielModel
