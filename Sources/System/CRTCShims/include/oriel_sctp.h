#pragma once
#include <stddef.h>
#include <stdint.h>

// usrsctp as data channels use it: no threads, associations over DTLS named by an integer that nothing
// dereferences, so that a late callback is harmless. Everything is called on one thread.

typedef struct oriel_sctp_socket oriel_sctp_socket;

/// A packet to be sent over DTLS.
typedef void (*oriel_sctp_output)(uintptr_t token, const void *bytes, size_t length);
/// A message or a part of one. `ends`: it is the last part.
typedef void (*oriel_sctp_message)(
  uintptr_t token, const void *bytes, size_t length, uint16_t stream, uint32_t ppid, int ends);

enum {
  ORIEL_SCTP_UP = 1,
  /// Lost, refused or ended.
  ORIEL_SCTP_DOWN = 2,
  /// The peer has reset its side of a stream.
  ORIEL_SCTP_INCOMING_RESET = 3,
  /// Our reset of a stream is done.
  ORIEL_SCTP_OUTGOING_RESET = 4,
  /// Our reset of a stream was refused.
  ORIEL_SCTP_RESET_FAILED = 5,
};
/// `value`: a stream number; of UP the number of streams that may be sent on.
typedef void (*oriel_sctp_event)(uintptr_t token, int event, uint16_t value);

void oriel_sctp_start(oriel_sctp_output output, oriel_sctp_message message, oriel_sctp_event event);
/// Lets timers run that are due after so many milliseconds more.
void oriel_sctp_advance(uint32_t milliseconds);

/// An association that is not connected yet; NULL: no memory.
oriel_sctp_socket *oriel_sctp_open(uintptr_t token, uint16_t streams, uint32_t buffer);
/// Sends INIT. 0, or -1.
int oriel_sctp_connect(oriel_sctp_socket *socket, uintptr_t token, uint16_t mtu);
void oriel_sctp_receive(uintptr_t token, const void *bytes, size_t length);
/// 0; 1: the buffer is full; -1: it will never go.
int oriel_sctp_send(
  oriel_sctp_socket *socket, const void *bytes, size_t length, uint16_t stream, uint32_t ppid, int unordered);
/// 0; 1: another reset is under way; -1: refused.
int oriel_sctp_reset(oriel_sctp_socket *socket, uint16_t stream);
/// Whether something is sent and not acknowledged, or waits.
int oriel_sctp_has_work(oriel_sctp_socket *socket);
/// Aborts the association; no callback follows.
void oriel_sctp_close(oriel_sctp_socket *socket, uintptr_t token);
