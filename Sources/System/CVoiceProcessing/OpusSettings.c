#include "CVoiceProcessing.h"

#include <opus.h>

int oriel_opus_settings(void *opaque, int bitrate, int loss) {
  OpusEncoder *encoder = opaque;
  int error = opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bitrate));
  if (error == OPUS_OK) error = opus_encoder_ctl(encoder, OPUS_SET_SIGNAL(OPUS_SIGNAL_VOICE));
  if (error == OPUS_OK) error = opus_encoder_ctl(encoder, OPUS_SET_INBAND_FEC(loss > 0));
  if (error == OPUS_OK) error = opus_encoder_ctl(encoder, OPUS_SET_PACKET_LOSS_PERC(loss));
  return error;
}
