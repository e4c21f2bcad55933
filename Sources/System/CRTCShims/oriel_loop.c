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

void oriel_heap_trim(void) { malloc_trim(0); }
