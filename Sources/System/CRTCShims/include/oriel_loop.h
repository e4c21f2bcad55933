#pragma once
#include <glib.h>

/// A source of a main context that is ready at a set time and calls back; it owns no descriptor.
/// `callback` runs on the context's thread; `release` runs once when the source is gone.
GSource *oriel_timed_source_new(GMainContext *context, void (*callback)(void *data), void *data,
                                void (*release)(void *data));

/// Makes a context that polls many descriptors come round at most once in `quantum_us` microseconds: what arrives
/// meanwhile is handled together. With `crowd` descriptors or fewer nothing is delayed.
void oriel_context_set_quantum(GMainContext *context, unsigned crowd, long quantum_us);

/// Gives freed pages back to the system. Takes the heap's locks for a moment.
void oriel_heap_trim(void);
