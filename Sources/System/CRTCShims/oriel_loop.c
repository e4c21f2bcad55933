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

struct OrielTimer {
  void (*callback)(void *data);
  void *data;
  void (*release)(void *data);
  gint64 deadline;
  /// Where it stands among the armed ones; -1: nowhere.
  gint index;
};

/// The armed timers, in no order: there are few at a time, and many that rest.
static GPtrArray *armed;
static gint64 next_deadline = G_MAXINT64;

OrielTimer *oriel_timer_new(void (*callback)(void *data), void *data, void (*release)(void *data)) {
  OrielTimer *timer = g_new0(OrielTimer, 1);
  timer->callback = callback;
  timer->data = data;
  timer->release = release;
  timer->deadline = G_MAXINT64;
  timer->index = -1;
  return timer;
}

static void disarm(OrielTimer *timer) {
  if (timer->index < 0) return;
  OrielTimer *last = g_ptr_array_index(armed, armed->len - 1);
  g_ptr_array_remove_index_fast(armed, timer->index);
  last->index = timer->index;
  timer->index = -1;
}

void oriel_timer_arm(OrielTimer *timer, gint64 deadline) {
  timer->deadline = deadline;
  if (deadline == G_MAXINT64) {
    disarm(timer);
    return;
  }
  if (timer->index < 0) {
    if (armed == NULL) armed = g_ptr_array_new();
    timer->index = (gint)armed->len;
    g_ptr_array_add(armed, timer);
  }
  // A deadline that was put off is found out when the old one has come.
  next_deadline = MIN(next_deadline, deadline);
}

void oriel_timer_free(OrielTimer *timer) {
  disarm(timer);
  timer->release(timer->data);
  g_free(timer);
}

gint64 oriel_timers_next(void) { return next_deadline; }

void oriel_timers_run(gint64 now) {
  if (now < next_deadline || armed == NULL) return;
  // In the order of their deadlines. A callback may arm and free any timer, so each search begins anew; what is armed
  // for the past in a callback comes in the next round.
  for (guint budget = armed->len; budget > 0; budget--) {
    OrielTimer *first = NULL;
    for (guint i = 0; i < armed->len; i++) {
      OrielTimer *timer = g_ptr_array_index(armed, i);
      if (first == NULL || timer->deadline < first->deadline) first = timer;
    }
    if (first == NULL || first->deadline > now) break;
    disarm(first);
    first->deadline = G_MAXINT64;
    first->callback(first->data);
  }
  next_deadline = G_MAXINT64;
  for (guint i = 0; i < armed->len; i++)
    next_deadline = MIN(next_deadline, ((OrielTimer *)g_ptr_array_index(armed, i))->deadline);
}
