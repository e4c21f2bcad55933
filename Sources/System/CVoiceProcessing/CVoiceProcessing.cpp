// SwiftPM does not pass on the definitions of pkg-config.
#define WEBRTC_AUDIO_PROCESSING_ONLY_BUILD
#define WEBRTC_POSIX
#include "CVoiceProcessing.h"

#include <webrtc/common.h>
#include <webrtc/modules/audio_processing/include/audio_processing.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace {

constexpr int kRate = 48000;
constexpr int kFrame = kRate / 100;

using webrtc::AudioProcessing;

struct Voice {
  // Echo and noise; then gain by itself: within one instance it moves the level before the canceller, which takes
  // that for a change of the room and cuts speech (docs/design/talk.md).
  std::unique_ptr<AudioProcessing> cleaning;
  std::unique_ptr<AudioProcessing> leveling;
  float samples[kFrame];
};

void load(Voice &voice, const int16_t *frame) {
  for (int i = 0; i < kFrame; i++) voice.samples[i] = frame[i] / 32768.0f;
}

AudioProcessing *make() {
  webrtc::Config config;
  // Neither serves behind a linear canceller; docs/design/talk.md has the figures.
  config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(false));
  config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(false));
  config.Set<webrtc::ExperimentalAgc>(new webrtc::ExperimentalAgc(false));
  return AudioProcessing::Create(config);
}

int enableCleaning(AudioProcessing &processing, bool echo, bool noise) {
  int error = processing.high_pass_filter()->Enable(true);
  if (echo) {
    auto *part = processing.echo_cancellation();
    error |= part->enable_drift_compensation(false);
    error |= part->set_suppression_level(webrtc::EchoCancellation::kModerateSuppression);
    error |= part->Enable(true);
  }
  if (noise) {
    auto *part = processing.noise_suppression();
    error |= part->set_level(webrtc::NoiseSuppression::kHigh);
    error |= part->Enable(true);
  }
  return error;
}

int enableGain(AudioProcessing &processing) {
  auto *part = processing.gain_control();
  int error = part->set_mode(webrtc::GainControl::kAdaptiveDigital);
  error |= part->set_target_level_dbfs(3);
  error |= part->set_compression_gain_db(6);
  error |= part->enable_limiter(true);
  return error | part->Enable(true);
}

int far(AudioProcessing &processing, Voice &voice) {
  float *channel = voice.samples;
  const webrtc::StreamConfig form(kRate, 1);
  return processing.ProcessReverseStream(&channel, form, form, &channel);
}

int near(AudioProcessing &processing, Voice &voice, int delay) {
  float *channel = voice.samples;
  const webrtc::StreamConfig form(kRate, 1);
  processing.set_stream_delay_ms(delay);
  return processing.ProcessStream(&channel, form, form, &channel);
}

}  // namespace

void *oriel_voice_create(int echo, int noise, int gain) {
  auto voice = std::make_unique<Voice>();
  voice->cleaning.reset(make());
  if (!voice->cleaning || enableCleaning(*voice->cleaning, echo, noise) != 0) return nullptr;
  if (gain) {
    voice->leveling.reset(make());
    if (!voice->leveling || enableGain(*voice->leveling) != 0) return nullptr;
  }
  return voice.release();
}

void oriel_voice_destroy(void *voice) { delete static_cast<Voice *>(voice); }

int oriel_voice_far(void *opaque, const int16_t *frame) {
  auto &voice = *static_cast<Voice *>(opaque);
  load(voice, frame);
  int error = far(*voice.cleaning, voice);
  if (voice.leveling) {
    load(voice, frame);
    error |= far(*voice.leveling, voice);
  }
  return error;
}

int oriel_voice_near(void *opaque, int16_t *frame, int delay_ms) {
  auto &voice = *static_cast<Voice *>(opaque);
  load(voice, frame);
  int error = near(*voice.cleaning, voice, std::clamp(delay_ms, 0, 500));
  if (error == 0 && voice.leveling) error = near(*voice.leveling, voice, 0);
  if (error != 0) return error;
  for (int i = 0; i < kFrame; i++) {
    frame[i] = static_cast<int16_t>(std::clamp(std::lrintf(voice.samples[i] * 32768.0f), -32768L, 32767L));
  }
  return 0;
}
