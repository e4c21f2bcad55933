#include "oriel_loop.h"

#include <malloc.h>

typedef struct {
  GSource source;
  void (*callback)(void *data);
} TimedSource;

static gboolean timed_source_dispatch(GSource *source, GSourceFunc callback, gpointer data) {
  (void)callback;
  g_source_set_ready_time(source, -1);
  ((TimedSource *)source)->callback(data);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs timed_source_functions = {NULL, NULL, timed_source_dispatch, NULL, NULL, NULL};

static gboolean never_called(gpointer data) {
  (void)data;
  return G_SOURCE_CONTINUE;
}

GSource *oriel_timed_source_new(GMainContext *context, void (*callback)(void *data), void *data,
                                void (*release)(void *data)) {
  GSource *source = g_source_new(&timed_source_functions, sizeof(TimedSource));
  ((TimedSource *)source)->callback = callback;
  g_source_set_callback(source, never_called, data, release);
  g_source_attach(source, context);
  return source;
}

// A poll function has no user data, and there is one loop.
static unsigned crowd_limit = 0;
static gint64 quantum = 0;
static gint64 last_round = 0;

static gint crowded_poll(GPollFD *descriptors, guint count, gint timeout) {
  if (count > crowd_limit && timeout != 0) {
    gint64 rest = quantum - (g_get_monotonic_time() - last_round);
    if (timeout > 0 && rest > timeout * 1000LL) rest = timeout * 1000LL;
    if (rest > 0) g_usleep(rest);
    if (timeout > 0) timeout = rest > 0 ? MAX(0, timeout - (gint)(rest / 1000)) : timeout;
  }
  gint ready = g_poll(descriptors, count, timeout);
  last_round = g_get_monotonic_time();
  return ready;
}

void oriel_context_set_quantum(GMainContext *context, unsigned crowd, long quantum_us) {
  crowd_limit = crowd;
  quantum = quantum_us;
  g_main_context_set_poll_func(context, crowded_poll);
}

void oriel_heap_trim(void) { malloc_trim(0); }
