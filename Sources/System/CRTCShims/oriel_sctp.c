#include "oriel_sctp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <usrsctp.h>

#define PORT 5000

static oriel_sctp_output on_output;
static oriel_sctp_message on_message;
static oriel_sctp_event on_event;

static struct socket *plain(oriel_sctp_socket *socket) { return (struct socket *)socket; }

static int output(void *token, void *bytes, size_t length, uint8_t tos, uint8_t dont_fragment) {
  (void)tos;
  (void)dont_fragment;
  on_output((uintptr_t)token, bytes, length);
  return 0;
}

static void notified(uintptr_t token, const union sctp_notification *note, size_t length) {
  if (length < sizeof note->sn_header || note->sn_header.sn_length != length) return;
  if (note->sn_header.sn_type == SCTP_ASSOC_CHANGE && length >= sizeof note->sn_assoc_change) {
    const struct sctp_assoc_change *change = &note->sn_assoc_change;
    int up = change->sac_state == SCTP_COMM_UP || change->sac_state == SCTP_RESTART;
    on_event(token, up ? ORIEL_SCTP_UP : ORIEL_SCTP_DOWN, change->sac_outbound_streams);
  } else if (note->sn_header.sn_type == SCTP_SHUTDOWN_EVENT) {
    on_event(token, ORIEL_SCTP_DOWN, 0);
  } else if (note->sn_header.sn_type == SCTP_STREAM_RESET_EVENT && length >= sizeof note->sn_strreset_event) {
    const struct sctp_stream_reset_event *reset = &note->sn_strreset_event;
    size_t streams = (length - sizeof *reset) / sizeof(uint16_t);
    int failed = reset->strreset_flags & (SCTP_STREAM_RESET_DENIED | SCTP_STREAM_RESET_FAILED);
    for (size_t i = 0; i < streams; i++) {
      uint16_t stream = reset->strreset_stream_list[i];
      if (failed) {
        on_event(token, ORIEL_SCTP_RESET_FAILED, stream);
        continue;
      }
      if (reset->strreset_flags & SCTP_STREAM_RESET_INCOMING_SSN)
        on_event(token, ORIEL_SCTP_INCOMING_RESET, stream);
      if (reset->strreset_flags & SCTP_STREAM_RESET_OUTGOING_SSN)
        on_event(token, ORIEL_SCTP_OUTGOING_RESET, stream);
    }
  }
}

static int received(
  struct socket *socket, union sctp_sockstore address, void *data, size_t length, struct sctp_rcvinfo info,
  int flags, void *token) {
  (void)socket;
  (void)address;
  if (!data) return 1;
  if (flags & MSG_NOTIFICATION)
    notified((uintptr_t)token, data, length);
  else
    on_message((uintptr_t)token, data, length, info.rcv_sid, ntohl(info.rcv_ppid), flags & MSG_EOR);
  free(data);
  return 1;
}

void oriel_sctp_start(oriel_sctp_output out, oriel_sctp_message message, oriel_sctp_event event) {
  on_output = out;
  on_message = message;
  on_event = event;
  usrsctp_init_nothreads(0, output, NULL);
  usrsctp_sysctl_set_sctp_ecn_enable(0);
  usrsctp_sysctl_set_sctp_asconf_enable(0);
  usrsctp_sysctl_set_sctp_auto_asconf(0);
  usrsctp_sysctl_set_sctp_auth_enable(0);
  usrsctp_sysctl_set_sctp_blackhole(2);
  usrsctp_sysctl_set_sctp_delayed_sack_time_default(20);
  usrsctp_sysctl_set_sctp_rto_min_default(200);
  usrsctp_sysctl_set_sctp_rto_initial_default(500);
  usrsctp_sysctl_set_sctp_init_rto_max_default(2000);
  usrsctp_sysctl_set_sctp_rto_max_default(5000);
  usrsctp_sysctl_set_sctp_initial_cwnd(10);
}

void oriel_sctp_advance(uint32_t milliseconds) { usrsctp_handle_timers(milliseconds); }

static struct sockaddr_conn address_of(uintptr_t token) {
  struct sockaddr_conn address;
  memset(&address, 0, sizeof address);
  address.sconn_family = AF_CONN;
  address.sconn_port = htons(PORT);
  address.sconn_addr = (void *)token;
  return address;
}

static int subscribe(struct socket *socket, uint16_t type) {
  struct sctp_event event = {.se_assoc_id = SCTP_ALL_ASSOC, .se_type = type, .se_on = 1};
  return usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof event);
}

oriel_sctp_socket *oriel_sctp_open(uintptr_t token, uint16_t streams, uint32_t buffer) {
  usrsctp_register_address((void *)token);
  struct socket *socket =
    usrsctp_socket(AF_CONN, SOCK_STREAM, IPPROTO_SCTP, received, NULL, 0, (void *)token);
  if (!socket) {
    usrsctp_deregister_address((void *)token);
    return NULL;
  }
  struct linger linger = {.l_onoff = 1, .l_linger = 0};
  int on = 1, size = (int)buffer;
  struct sctp_assoc_value resets = {
    .assoc_id = SCTP_ALL_ASSOC, .assoc_value = SCTP_ENABLE_RESET_STREAM_REQ | SCTP_ENABLE_CHANGE_ASSOC_REQ};
  struct sctp_initmsg init = {
    .sinit_num_ostreams = streams, .sinit_max_instreams = streams, .sinit_max_attempts = 12};
  struct sockaddr_conn address = address_of(token);
  int failed = usrsctp_set_non_blocking(socket, 1);
  failed |= usrsctp_setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  failed |= usrsctp_setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  failed |= usrsctp_setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  failed |= usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof on);
  failed |= usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_ENABLE_STREAM_RESET, &resets, sizeof resets);
  failed |= usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_INITMSG, &init, sizeof init);
  failed |= subscribe(socket, SCTP_ASSOC_CHANGE);
  failed |= subscribe(socket, SCTP_SHUTDOWN_EVENT);
  failed |= subscribe(socket, SCTP_STREAM_RESET_EVENT);
  failed |= usrsctp_bind(socket, (struct sockaddr *)&address, sizeof address);
  if (failed) {
    oriel_sctp_close((oriel_sctp_socket *)socket, token);
    return NULL;
  }
  return (oriel_sctp_socket *)socket;
}

int oriel_sctp_connect(oriel_sctp_socket *socket, uintptr_t token, uint16_t mtu) {
  struct sockaddr_conn address = address_of(token);
  if (usrsctp_connect(plain(socket), (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS)
    return -1;
  struct sctp_paddrparams path;
  memset(&path, 0, sizeof path);
  memcpy(&path.spp_address, &address, sizeof address);
  path.spp_flags = SPP_PMTUD_DISABLE | SPP_HB_DISABLE;
  path.spp_pathmtu = mtu;
  return usrsctp_setsockopt(plain(socket), IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof path);
}

void oriel_sctp_receive(uintptr_t token, const void *bytes, size_t length) {
  usrsctp_conninput((void *)token, bytes, length, 0);
}

int oriel_sctp_send(
  oriel_sctp_socket *socket, const void *bytes, size_t length, uint16_t stream, uint32_t ppid, int unordered) {
  struct sctp_sndinfo info;
  memset(&info, 0, sizeof info);
  info.snd_sid = stream;
  info.snd_flags = unordered ? SCTP_UNORDERED : 0;
  info.snd_ppid = htonl(ppid);
  ssize_t sent =
    usrsctp_sendv(plain(socket), bytes, length, NULL, 0, &info, sizeof info, SCTP_SENDV_SNDINFO, 0);
  if (sent >= 0) return 0;
  return errno == EWOULDBLOCK || errno == EAGAIN || errno == ENOBUFS ? 1 : -1;
}

int oriel_sctp_reset(oriel_sctp_socket *socket, uint16_t stream) {
  union {
    struct sctp_reset_streams reset;
    uint8_t room[sizeof(struct sctp_reset_streams) + sizeof(uint16_t)];
  } request;
  memset(&request, 0, sizeof request);
  request.reset.srs_assoc_id = SCTP_ALL_ASSOC;
  request.reset.srs_flags = SCTP_STREAM_RESET_OUTGOING;
  request.reset.srs_number_streams = 1;
  request.reset.srs_stream_list[0] = stream;
  if (usrsctp_setsockopt(plain(socket), IPPROTO_SCTP, SCTP_RESET_STREAMS, &request, sizeof request) == 0) return 0;
  return errno == EALREADY || errno == EINPROGRESS || errno == EAGAIN ? 1 : -1;
}

int oriel_sctp_has_work(oriel_sctp_socket *socket) {
  struct sctp_status status;
  socklen_t length = sizeof status;
  memset(&status, 0, sizeof status);
  if (usrsctp_getsockopt(plain(socket), IPPROTO_SCTP, SCTP_STATUS, &status, &length) < 0) return 0;
  return status.sstat_state != SCTP_ESTABLISHED || status.sstat_unackdata > 0 || status.sstat_penddata > 0;
}

void oriel_sctp_close(oriel_sctp_socket *socket, uintptr_t token) {
  usrsctp_close(plain(socket));
  usrsctp_deregister_address((void *)token);
}
