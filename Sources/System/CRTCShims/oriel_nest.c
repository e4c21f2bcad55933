#define _GNU_SOURCE
#include "oriel_nest.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "oriel_loop.h"

enum { EVENTS = 64, VERIFY_INTERVAL = 2000000 };

struct OrielNested {
  OrielNest *nest;
  GMainContext *context;
  /// The context's own descriptor, readable when its sources have changed.
  int wake_descriptor;
  /// What the epoll knows of this context.
  GPollFD *registered;
  gint registered_count;
  /// Monotonic, microseconds; G_MAXINT64: nothing is due.
  gint64 deadline;
  /// Where it stands in the nest.
  guint index;
  gint64 verified;
  int first_descriptor;
  gboolean (*take_first)(void *);
  void *take_first_data;
  gboolean is_running;
  gboolean is_dead;
};

struct OrielNest {
  GMainContext *loop;
  int epoll;
  GPtrArray *members;
  /// Freed while the nest is at work: released after.
  GPtrArray *dead;
  /// Who registered a descriptor; a number may be closed by one and taken by another.
  OrielNested **owners;
  int owner_count;
  /// Room for the loop's descriptors and the epoll's.
  struct pollfd *poll_set;
  guint poll_room;
  /// Room for a query.
  GPollFD *query;
  gint query_room;
  guint crowd;
  gint64 quantum;
  /// Until then descriptors and deadlines rest.
  gint64 rests_until;
  /// The earliest deadline.
  gint64 deadline;
  gboolean is_serving;
};

/// A poll function has no user data, and there is one loop.
static OrielNest *the_nest;

static OrielNested **owner(OrielNest *nest, int descriptor) {
  if (descriptor >= nest->owner_count) {
    int count = MAX(256, descriptor * 2);
    nest->owners = g_renew(OrielNested *, nest->owners, count);
    memset(nest->owners + nest->owner_count, 0, (count - nest->owner_count) * sizeof *nest->owners);
    nest->owner_count = count;
  }
  return &nest->owners[descriptor];
}

static void registration(OrielNested *nested, int operation, const GPollFD *entry) {
  OrielNest *nest = nested->nest;
  if (operation == EPOLL_CTL_DEL) {
    if (*owner(nest, entry->fd) != nested) return;  // another has it by now
    *owner(nest, entry->fd) = NULL;
    epoll_ctl(nest->epoll, EPOLL_CTL_DEL, entry->fd, NULL);
    return;
  }
  // G_IO_* and EPOLL* are the same bits.
  struct epoll_event event = {.events = entry->events, .data.fd = entry->fd};
  *owner(nest, entry->fd) = nested;
  // A number that was closed and taken again is not known to the kernel any more.
  if (epoll_ctl(nest->epoll, EPOLL_CTL_MOD, entry->fd, &event) < 0 && errno == ENOENT)
    epoll_ctl(nest->epoll, EPOLL_CTL_ADD, entry->fd, &event);
}

/// Makes the epoll know what the query gave. Both lists are sorted by descriptor.
static void reconcile(OrielNested *nested, const GPollFD *now, gint count, gboolean verify) {
  gboolean same = count == nested->registered_count;
  for (gint i = 0; same && i < count; i++)
    same = now[i].fd == nested->registered[i].fd && now[i].events == nested->registered[i].events;
  if (same && !verify) return;
  for (gint i = 0; i < nested->registered_count; i++) {
    gboolean stays = FALSE;
    for (gint j = 0; j < count && !stays; j++) stays = now[j].fd == nested->registered[i].fd;
    if (!stays) registration(nested, EPOLL_CTL_DEL, &nested->registered[i]);
  }
  for (gint i = 0; i < count; i++) registration(nested, EPOLL_CTL_MOD, &now[i]);
  if (!same) {
    nested->registered = g_renew(GPollFD, nested->registered, count);
    memcpy(nested->registered, now, count * sizeof *now);
    nested->registered_count = count;
  }
}

/// The descriptors and the time-out of a context that has been acquired; gives the number of descriptors.
static gint query(OrielNested *nested, gint priority, gint *timeout) {
  OrielNest *nest = nested->nest;
  gint count;
  while ((count = g_main_context_query(nested->context, priority, timeout, nest->query, nest->query_room)) >
         nest->query_room) {
    nest->query_room = count * 2;
    nest->query = g_renew(GPollFD, nest->query, nest->query_room);
  }
  return count;
}

/// Dispatches what is ready, then notes what to wait for. What is ready after that, the epoll tells again.
static void run(OrielNested *nested, gint64 now) {
  OrielNest *nest = nested->nest;
  if (nested->is_dead || nested->is_running || !g_main_context_acquire(nested->context)) return;
  nested->is_running = TRUE;
  gint priority, timeout = 0;
  g_main_context_prepare(nested->context, &priority);
  gint count = query(nested, priority, &timeout);
  g_poll(nest->query, count, 0);
  if (g_main_context_check(nested->context, priority, nest->query, count))
    g_main_context_dispatch(nested->context);
  if (!nested->is_dead) {
    // Dispatching blocks and unblocks sources, each with a wake-up that says nothing: all is asked below.
    guint64 wakes;
    gboolean changed = read(nested->wake_descriptor, &wakes, sizeof wakes) > 0;
    gboolean is_ready = g_main_context_prepare(nested->context, &priority);
    count = query(nested, priority, &timeout);
    gboolean verify = changed && now - nested->verified > VERIFY_INTERVAL;
    if (verify) nested->verified = now;
    reconcile(nested, nest->query, count, verify);
    nested->deadline = is_ready ? 0 : timeout < 0 ? G_MAXINT64 : g_get_monotonic_time() + timeout * 1000LL;
    nested->deadline = MIN(nested->deadline, changed && !verify ? nested->verified + VERIFY_INTERVAL + 1 : G_MAXINT64);
  }
  nested->is_running = FALSE;
  g_main_context_release(nested->context);
}

static void release(OrielNested *nested) {
  g_main_context_unref(nested->context);
  g_free(nested->registered);
  g_free(nested);
}

/// Runs the contexts that have something.
static void serve(OrielNest *nest, gint64 now) {
  struct epoll_event events[EVENTS];
  nest->is_serving = TRUE;
  int count = 0, total = 0;
  do {
    count = epoll_wait(nest->epoll, events, EVENTS, 0);
    for (int i = 0; i < count; i++) {
      OrielNested *nested = *owner(nest, events[i].data.fd);
      if (nested == NULL) continue;  // freed by one before it
      if (nested->first_descriptor == events[i].data.fd && nested->take_first(nested->take_first_data)) continue;
      run(nested, now);
    }
    total += MAX(0, count);
  } while (count == EVENTS && total < 1024);
  for (guint i = 0; nest->deadline <= now && i < nest->members->len; i++) {
    OrielNested *nested = g_ptr_array_index(nest->members, i);
    if (nested->deadline > now) continue;
    run(nested, now);
    total++;
  }
  // In a crowd all rest for a quantum after each round that had something.
  if (total > 0 && nest->members->len > nest->crowd) nest->rests_until = now + nest->quantum;
  nest->is_serving = FALSE;
  for (guint i = 0; i < nest->dead->len; i++) release(g_ptr_array_index(nest->dead, i));
  g_ptr_array_set_size(nest->dead, 0);
  nest->deadline = G_MAXINT64;
  for (guint i = 0; i < nest->members->len; i++)
    nest->deadline = MIN(nest->deadline, ((OrielNested *)g_ptr_array_index(nest->members, i))->deadline);
}

/// The loop's poll: waits for the nest's descriptors and deadlines and for timers too, and serves them here. As a source of the loop
/// the nest would cost two wake-ups of the loop each time.
static gint nest_poll(GPollFD *descriptors, guint count, gint timeout) {
  OrielNest *nest = the_nest;
  if (count >= nest->poll_room) {
    nest->poll_room = count * 2 + 16;
    nest->poll_set = g_renew(struct pollfd, nest->poll_set, nest->poll_room);
  }
  struct pollfd *all = nest->poll_set;
  for (guint i = 0; i < count; i++) all[i] = (struct pollfd){.fd = descriptors[i].fd, .events = descriptors[i].events};
  gint64 now = g_get_monotonic_time();
  gint64 until = timeout < 0 ? G_MAXINT64 : now + timeout * 1000LL;
  gboolean rests = now < nest->rests_until;
  until = MIN(until, MIN(rests ? nest->rests_until : nest->deadline, oriel_timers_next()));
  all[count] = (struct pollfd){.fd = rests ? -1 : nest->epoll, .events = POLLIN};
  struct timespec wait = {0, 0};
  if (until > now) wait = (struct timespec){(until - now) / G_USEC_PER_SEC, (until - now) % G_USEC_PER_SEC * 1000};
  int ready = ppoll(all, count + 1, until == G_MAXINT64 ? NULL : &wait, NULL);
  if (ready < 0) return ready;
  gint own = 0;
  for (guint i = 0; i < count; i++) {
    descriptors[i].revents = all[i].revents;
    if (all[i].revents) own++;
  }
  now = g_get_monotonic_time();
  if (now >= nest->rests_until && (rests || all[count].revents || now >= nest->deadline)) serve(nest, now);
  oriel_timers_run(now);
  return own;
}

OrielNest *oriel_nest_new(GMainContext *loop, unsigned crowd, long quantum_us) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return NULL;
  OrielNest *nest = g_new0(OrielNest, 1);
  nest->loop = loop;
  nest->epoll = epoll;
  nest->members = g_ptr_array_new();
  nest->dead = g_ptr_array_new();
  nest->query_room = 16;
  nest->query = g_new(GPollFD, nest->query_room);
  nest->crowd = crowd;
  nest->quantum = quantum_us;
  nest->deadline = G_MAXINT64;
  the_nest = nest;
  g_main_context_set_poll_func(loop, nest_poll);
  return nest;
}

OrielNested *oriel_nested_new(OrielNest *nest) {
  OrielNested *nested = g_new0(OrielNested, 1);
  nested->nest = nest;
  // Wakes up for each new source, since nobody polls it the usual way.
  nested->context = g_main_context_new_with_flags(G_MAIN_CONTEXT_FLAGS_OWNERLESS_POLLING);
  nested->deadline = G_MAXINT64;
  nested->first_descriptor = -1;
  nested->index = nest->members->len;
  g_ptr_array_add(nest->members, nested);
  if (g_main_context_acquire(nested->context)) {
    gint priority, timeout;
    g_main_context_prepare(nested->context, &priority);
    gint count = query(nested, priority, &timeout);
    nested->wake_descriptor = count > 0 ? nest->query[0].fd : -1;
    reconcile(nested, nest->query, count, FALSE);
    g_main_context_release(nested->context);
  }
  return nested;
}

GMainContext *oriel_nested_context(OrielNested *nested) { return nested->context; }
GMainContext *oriel_nested_loop(OrielNested *nested) { return nested->nest->loop; }

void oriel_nested_take_first(OrielNested *nested, int descriptor, gboolean (*take)(void *), void *data) {
  nested->first_descriptor = descriptor;
  nested->take_first = take;
  nested->take_first_data = data;
}

void oriel_nested_free(OrielNested *nested) {
  OrielNest *nest = nested->nest;
  if (nested->is_dead) return;
  nested->is_dead = TRUE;
  nested->first_descriptor = -1;
  for (gint i = 0; i < nested->registered_count; i++) registration(nested, EPOLL_CTL_DEL, &nested->registered[i]);
  // The last takes its place.
  OrielNested *last = g_ptr_array_index(nest->members, nest->members->len - 1);
  g_ptr_array_remove_index_fast(nest->members, nested->index);
  last->index = nested->index;
  if (nest->is_serving) g_ptr_array_add(nest->dead, nested);
  else release(nested);
}
