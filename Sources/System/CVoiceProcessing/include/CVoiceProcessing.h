#pragma once
// webrtc-audio-processing 0.3 for C: echo, noise, gain. 48 kHz, one channel, frames of 10 ms (480 samples).
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

// NULL when the library refuses. Not thread safe.
void *oriel_voice_create(int echo, int noise, int gain);
void oriel_voice_destroy(void *voice);

// What went to the loudspeaker. 0, or the library's error.
int oriel_voice_far(void *voice, const int16_t *frame);
// What the microphone heard, in place; the delay is that of the far frame given right before. 0, or the library's
// error; the frame is then as it was.
int oriel_voice_near(void *voice, int16_t *frame, int delay_ms);

// What Swift cannot call itself of libopus: a voice encoder's bit rate and the loss in percent that it is to repair.
int oriel_opus_settings(void *encoder, int bitrate, int loss);

#ifdef __cplusplus
}
#endif
