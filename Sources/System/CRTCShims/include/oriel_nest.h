#pragma once
#include <glib.h>

/// Many small contexts inside one loop: each agent's sources in a context of its own, all their descriptors in one
/// epoll, so that a datagram costs the same whether there are one or a thousand agents. (A GLib context asks the
/// kernel about every descriptor and looks at every source in every round.)
///
/// All calls on the loop's thread, except that GLib may be told of new sources from any.
typedef struct OrielNest OrielNest;
typedef struct OrielNested OrielNested;

/// The nest of a loop. `crowd`: contexts up to which each datagram is taken at once; with more, what comes within
/// `quantum_us` microseconds is taken together.
OrielNest *oriel_nest_new(GMainContext *loop, unsigned crowd, long quantum_us);

OrielNested *oriel_nested_new(OrielNest *nest);
GMainContext *oriel_nested_context(OrielNested *nested);
GMainContext *oriel_nested_loop(OrielNested *nested);
/// A descriptor of the context that `take` looks at first when it is readable; it gives FALSE for what it leaves to the
/// context. -1 and NULL: none.
void oriel_nested_take_first(OrielNested *nested, int descriptor, gboolean (*take)(void *), void *data);
/// Nothing of the context is dispatched after. Whoever has a reference may still hold it.
void oriel_nested_free(OrielNested *nested);
