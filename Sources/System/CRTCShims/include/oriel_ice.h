#pragma once
#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oriel_nest.h"

/// One libnice agent with one stream and one component (all media is bundled, RTCP multiplexed).
typedef struct OrielICE OrielICE;

/// Called on the thread of the agent's main context, with `owner` as first argument.
typedef struct {
  void *owner;
  /// A local candidate, as an SDP value: "candidate:...".
  void (*candidate)(void *owner, const char *line);
  void (*gathered)(void *owner);
  /// A NiceComponentState.
  void (*state)(void *owner, unsigned state);
  void (*selected)(void *owner);
  void (*received)(void *owner, const void *bytes, size_t length);
} OrielICEEvents;

typedef struct {
  unsigned type;
  bool tcp;
  uint32_t priority;
  const char *foundation;
  const char *address;
  uint16_t port;
} OrielICECandidate;

OrielICE *oriel_ice_new(OrielNest *nest, bool controlling, bool relay_only, const OrielICEEvents *events);
/// No event comes after this; allocations on TURN servers are given back in the background.
void oriel_ice_free(OrielICE *ice);

/// Adds the machine's addresses; loopback: 0 never, 1 too, 2 when there is no other. Gives their number.
int oriel_ice_add_addresses(OrielICE *ice, int loopback, int limit);
void oriel_ice_set_stun(OrielICE *ice, const char *host, uint16_t port);
bool oriel_ice_add_turn(OrielICE *ice, const char *host, uint16_t port, const char *username,
                        const char *credential, bool over_tcp);
bool oriel_ice_gather(OrielICE *ice);

/// Copies the user fragment and password (as NUL-terminated strings of less than `room` bytes).
bool oriel_ice_local_credentials(OrielICE *ice, char *fragment, char *password, size_t room);
bool oriel_ice_set_remote_credentials(OrielICE *ice, const char *fragment, const char *password);
void oriel_ice_set_controlling(OrielICE *ice, bool controlling);
bool oriel_ice_add_candidate(OrielICE *ice, const OrielICECandidate *candidate);
void oriel_ice_end_candidates(OrielICE *ice);

/// Takes over the selected pair; gives its ends' NiceCandidateType and whether it is plain UDP.
bool oriel_ice_take_selected(OrielICE *ice, unsigned *local_type, unsigned *remote_type, bool *is_direct);
/// Sends over the direct pair taken last, as oriel_send_segments does; ENOTCONN: there is none.
int oriel_ice_send_segments(OrielICE *ice, const void *bytes, size_t length, size_t segment);
/// Sends one datagram over whatever pair is selected.
void oriel_ice_send(OrielICE *ice, const void *bytes, size_t length);
