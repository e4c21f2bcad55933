#pragma once
#include <glib.h>

/// A source of a main context that is ready at a set time and calls back; it owns no descriptor.
/// `callback` runs on the context's thread; `release` runs once when the source is gone.
GSource *oriel_timed_source_new(GMainContext *context, void (*callback)(void *data), void *data,
                                void (*release)(void *data));

/// Gives freed pages back to the system. Takes the heap's locks for a moment.
void oriel_heap_trim(void);
