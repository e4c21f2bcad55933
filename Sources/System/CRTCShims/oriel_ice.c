#include "oriel_ice.h"

#include <errno.h>
#include <gio/gio.h>
#include <nice/agent.h>
#include <nice/interfaces.h>
#include <string.h>
#include <sys/socket.h>

#include "oriel_datagram.h"

struct OrielICE {
  NiceAgent *agent;
  guint stream;
  OrielICEEvents events;
  GSocket *selected_socket;
  int descriptor;
  struct sockaddr_storage remote;
  socklen_t remote_length;
  OrielNested *nested;
  bool is_closed;
};

enum { COMPONENT = 1, FIRST_BYTE_OF_STUN_ENDS = 4, AT_ONCE = 32, PACING_WHEN_READY_MS = 200 };

static void on_candidate(NiceAgent *agent, NiceCandidate *candidate, gpointer data) {
  OrielICE *ice = data;
  gchar *line = nice_agent_generate_local_candidate_sdp(agent, candidate);
  if (line == NULL) return;
  ice->events.candidate(ice->events.owner, g_str_has_prefix(line, "a=") ? line + 2 : line);
  g_free(line);
}

static void on_gathered(NiceAgent *agent, guint stream, gpointer data) {
  (void)agent, (void)stream;
  OrielICE *ice = data;
  ice->events.gathered(ice->events.owner);
}

static void on_state(NiceAgent *agent, guint stream, guint component, guint state, gpointer data) {
  (void)stream, (void)component;
  OrielICE *ice = data;
  // libnice ticks for each check, also those of a peer's other addresses, which go on for as long as it lives.
  if (state == NICE_COMPONENT_STATE_READY) g_object_set(agent, "stun-pacing-timer", (guint)PACING_WHEN_READY_MS, NULL);
  ice->events.state(ice->events.owner, state);
}

static void on_selected(NiceAgent *agent, guint stream, guint component, NiceCandidate *local,
                        NiceCandidate *remote, gpointer data) {
  (void)agent, (void)stream, (void)component, (void)local, (void)remote;
  OrielICE *ice = data;
  ice->events.selected(ice->events.owner);
}

static void on_received(NiceAgent *agent, guint stream, guint component, guint length, gchar *bytes,
                        gpointer data) {
  (void)agent, (void)stream, (void)component;
  OrielICE *ice = data;
  ice->events.received(ice->events.owner, bytes, length);
}

static gboolean is_same_address(const struct sockaddr_storage *one, const struct sockaddr_storage *other) {
  if (one->ss_family != other->ss_family) return FALSE;
  if (one->ss_family == AF_INET) {
    const struct sockaddr_in *a = (const void *)one, *b = (const void *)other;
    return a->sin_port == b->sin_port && a->sin_addr.s_addr == b->sin_addr.s_addr;
  }
  const struct sockaddr_in6 *a = (const void *)one, *b = (const void *)other;
  return a->sin6_port == b->sin6_port && memcmp(&a->sin6_addr, &b->sin6_addr, sizeof a->sin6_addr) == 0;
}

/// Takes what the selected peer sends, except STUN, past libnice: a datagram through a GLib context costs ten times as
/// much. Gives FALSE at the first datagram that is libnice's.
static gboolean take_directly(void *data) {
  // One loop, one thread.
  static char bytes[65536];
  OrielICE *ice = data;
  for (int i = 0; i < AT_ONCE; i++) {
    unsigned char first = 0;
    struct sockaddr_storage from;
    socklen_t length = sizeof from;
    ssize_t peeked = recvfrom(ice->descriptor, &first, 1, MSG_PEEK | MSG_DONTWAIT, (struct sockaddr *)&from, &length);
    if (peeked < 0) return errno == EAGAIN || errno == EINTR;
    if (peeked == 0 || first < FIRST_BYTE_OF_STUN_ENDS || !is_same_address(&from, &ice->remote)) return FALSE;
    ssize_t count = recv(ice->descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count <= 0) return TRUE;
    ice->events.received(ice->events.owner, bytes, (size_t)count);
    if (ice->is_closed) return TRUE;
  }
  return TRUE;
}

OrielICE *oriel_ice_new(OrielNest *nest, bool controlling, bool relay_only, const OrielICEEvents *events) {
  OrielNested *nested = oriel_nested_new(nest);
  GMainContext *context = oriel_nested_context(nested);
  NiceAgent *agent = nice_agent_new_full(context, NICE_COMPATIBILITY_RFC5245,
                                         NICE_AGENT_OPTION_ICE_TRICKLE | NICE_AGENT_OPTION_CONSENT_FRESHNESS);
  if (agent == NULL) {
    oriel_nested_free(nested);
    return NULL;
  }
  g_object_set(agent, "upnp", FALSE, "ice-tcp", FALSE, "controlling-mode", (gboolean)controlling, "force-relay",
               (gboolean)relay_only, NULL);
  guint stream = nice_agent_add_stream(agent, 1);
  if (stream == 0) {
    g_object_unref(agent);
    oriel_nested_free(nested);
    return NULL;
  }
  OrielICE *ice = g_new0(OrielICE, 1);
  ice->agent = agent;
  ice->stream = stream;
  ice->nested = nested;
  ice->events = *events;
  g_signal_connect(agent, "new-candidate-full", G_CALLBACK(on_candidate), ice);
  g_signal_connect(agent, "candidate-gathering-done", G_CALLBACK(on_gathered), ice);
  g_signal_connect(agent, "component-state-changed", G_CALLBACK(on_state), ice);
  g_signal_connect(agent, "new-selected-pair-full", G_CALLBACK(on_selected), ice);
  nice_agent_attach_recv(agent, stream, COMPONENT, context, on_received, ice);
  return ice;
}

static void on_closed(GObject *agent, GAsyncResult *result, gpointer data) {
  (void)result;
  g_object_unref(agent);
  oriel_nested_free(data);
}

static gboolean release_later(gpointer data) {
  OrielICE *ice = data;
  nice_agent_remove_stream(ice->agent, ice->stream);
  nice_agent_close_async(ice->agent, on_closed, ice->nested);
  g_clear_object(&ice->selected_socket);
  g_free(ice);
  return G_SOURCE_REMOVE;
}

void oriel_ice_free(OrielICE *ice) {
  ice->is_closed = true;
  oriel_nested_take_first(ice->nested, -1, NULL, NULL);
  g_signal_handlers_disconnect_by_data(ice->agent, ice);
  nice_agent_attach_recv(ice->agent, ice->stream, COMPONENT, NULL, NULL, NULL);
  // libnice may be on the stack: nearly every call of it may emit a signal, in whose handler this is.
  GSource *source = g_idle_source_new();
  g_source_set_priority(source, G_PRIORITY_DEFAULT);
  g_source_set_callback(source, release_later, ice, NULL);
  g_source_attach(source, oriel_nested_loop(ice->nested));
  g_source_unref(source);
}

int oriel_ice_add_addresses(OrielICE *ice, int loopback, int limit) {
  int added = 0;
  GList *addresses = nice_interfaces_get_local_ips(FALSE);
  for (GList *item = addresses; item != NULL && added < limit; item = item->next) {
    NiceAddress address;
    nice_address_init(&address);
    if (!nice_address_set_from_string(&address, item->data)) continue;
    if (address.s.addr.sa_family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&address.s.ip6.sin6_addr)) continue;
    if (nice_agent_add_local_address(ice->agent, &address)) added++;
  }
  g_list_free_full(addresses, g_free);
  if (loopback == 1 || (loopback == 2 && added == 0)) {
    NiceAddress address;
    nice_address_init(&address);
    if (nice_address_set_from_string(&address, "127.0.0.1") && nice_agent_add_local_address(ice->agent, &address))
      added++;
  }
  return added;
}

void oriel_ice_set_stun(OrielICE *ice, const char *host, uint16_t port) {
  g_object_set(ice->agent, "stun-server", host, "stun-server-port", (guint)port, NULL);
}

bool oriel_ice_add_turn(OrielICE *ice, const char *host, uint16_t port, const char *username,
                        const char *credential, bool over_tcp) {
  NiceRelayType type = over_tcp ? NICE_RELAY_TYPE_TURN_TCP : NICE_RELAY_TYPE_TURN_UDP;
  return nice_agent_set_relay_info(ice->agent, ice->stream, COMPONENT, host, port, username, credential, type);
}

bool oriel_ice_gather(OrielICE *ice) { return nice_agent_gather_candidates(ice->agent, ice->stream); }

bool oriel_ice_local_credentials(OrielICE *ice, char *fragment, char *password, size_t room) {
  gchar *u = NULL, *p = NULL;
  if (!nice_agent_get_local_credentials(ice->agent, ice->stream, &u, &p)) return false;
  bool fits = g_strlcpy(fragment, u, room) < room && g_strlcpy(password, p, room) < room;
  g_free(u);
  g_free(p);
  return fits;
}

bool oriel_ice_set_remote_credentials(OrielICE *ice, const char *fragment, const char *password) {
  return nice_agent_set_remote_credentials(ice->agent, ice->stream, fragment, password);
}

void oriel_ice_set_controlling(OrielICE *ice, bool controlling) {
  g_object_set(ice->agent, "controlling-mode", (gboolean)controlling, NULL);
}

bool oriel_ice_add_candidate(OrielICE *ice, const OrielICECandidate *candidate) {
  NiceCandidate *nice = nice_candidate_new((NiceCandidateType)candidate->type);
  nice->transport = candidate->tcp ? NICE_CANDIDATE_TRANSPORT_TCP_PASSIVE : NICE_CANDIDATE_TRANSPORT_UDP;
  nice->priority = candidate->priority;
  nice->stream_id = ice->stream;
  nice->component_id = COMPONENT;
  g_strlcpy(nice->foundation, candidate->foundation, NICE_CANDIDATE_MAX_FOUNDATION);
  bool taken = false;
  if (nice_address_set_from_string(&nice->addr, candidate->address)) {
    nice_address_set_port(&nice->addr, candidate->port);
    GSList *list = g_slist_append(NULL, nice);
    taken = nice_agent_set_remote_candidates(ice->agent, ice->stream, COMPONENT, list) > 0;
    g_slist_free(list);
  }
  nice_candidate_free(nice);
  return taken;
}

void oriel_ice_end_candidates(OrielICE *ice) {
  nice_agent_peer_candidate_gathering_done(ice->agent, ice->stream);
}

bool oriel_ice_take_selected(OrielICE *ice, unsigned *local_type, unsigned *remote_type, bool *is_direct) {
  NiceCandidate *local = NULL, *remote = NULL;
  if (!nice_agent_get_selected_pair(ice->agent, ice->stream, COMPONENT, &local, &remote)) return false;
  *local_type = local->type;
  *remote_type = remote->type;
  nice_address_copy_to_sockaddr(&remote->addr, (struct sockaddr *)&ice->remote);
  ice->remote_length =
      remote->addr.s.addr.sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
  // The reference keeps the descriptor from being closed and its number taken by somebody else.
  GSocket *selected = nice_agent_get_selected_socket(ice->agent, ice->stream, COMPONENT);
  g_clear_object(&ice->selected_socket);
  ice->selected_socket = selected;
  ice->descriptor = selected == NULL ? -1 : g_socket_get_fd(selected);
  oriel_nested_take_first(ice->nested, ice->descriptor, take_directly, ice);
  *is_direct = selected != NULL;
  return true;
}

int oriel_ice_send_segments(OrielICE *ice, const void *bytes, size_t length, size_t segment) {
  if (ice->selected_socket == NULL) return ENOTCONN;
  return oriel_send_segments(ice->descriptor, (struct sockaddr *)&ice->remote, ice->remote_length, bytes, length,
                             segment);
}

void oriel_ice_send(OrielICE *ice, const void *bytes, size_t length) {
  nice_agent_send(ice->agent, ice->stream, COMPONENT, (guint)length, bytes);
}
