#pragma once
#include <glib.h>

/// A source of a main context that is ready at a set time and calls back; it owns no descriptor.
/// `callback` runs on the context's thread; `release` runs once when the source is gone.
GSource *oriel_timed_source_new(GMainContext *context, void (*callback)(void *data), void *data,
                                void (*release)(void *data));

/// Gives freed pages back to the system. Takes the heap's locks for a moment.
void oriel_heap_trim(void);

/// A timer of the loop that holds the nest (oriel_nest.h). All calls on the loop's thread. It is no source of the
/// context, since each of those costs every round of the loop, and setting a source's time wakes the loop up.
typedef struct OrielTimer OrielTimer;

OrielTimer *oriel_timer_new(void (*callback)(void *data), void *data, void (*release)(void *data));
/// Calls back once at `deadline` (monotonic, microseconds) or after; G_MAXINT64: never.
void oriel_timer_arm(OrielTimer *timer, gint64 deadline);
/// May be called in a callback, the timer's own too.
void oriel_timer_free(OrielTimer *timer);

/// For the loop's poll.
gint64 oriel_timers_next(void);
void oriel_timers_run(gint64 now);
