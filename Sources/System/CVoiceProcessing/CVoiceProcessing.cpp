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

struct Voice {
  std::unique_ptr<webrtc::AudioProcessing> processing;
  float samples[kFrame];
};

void load(Voice &voice, const int16_t *frame) {
  for (int i = 0; i < kFrame; i++) voice.samples[i] = frame[i] / 32768.0f;
}

}  // namespace

void *oriel_voice_create(int echo, int noise, int gain) {
  webrtc::Config config;
  config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
  // The delay is told; the agnostic mode suppresses more and cuts the near end (docs/design/talk.md).
  config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(false));
  config.Set<webrtc::ExperimentalAgc>(new webrtc::ExperimentalAgc(false));
  auto voice = std::make_unique<Voice>();
  voice->processing.reset(webrtc::AudioProcessing::Create(config));
  if (!voice->processing) return nullptr;
  auto &processing = *voice->processing;
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
  if (gain) {
    auto *part = processing.gain_control();
    error |= part->set_mode(webrtc::GainControl::kAdaptiveDigital);
    error |= part->set_target_level_dbfs(3);
    error |= part->set_compression_gain_db(6);
    error |= part->enable_limiter(true);
    error |= part->Enable(true);
  }
  return error == 0 ? voice.release() : nullptr;
}

void oriel_voice_destroy(void *voice) { delete static_cast<Voice *>(voice); }

int oriel_voice_far(void *opaque, const int16_t *frame) {
  auto &voice = *static_cast<Voice *>(opaque);
  load(voice, frame);
  float *channel = voice.samples;
  const webrtc::StreamConfig form(kRate, 1);
  return voice.processing->ProcessReverseStream(&channel, form, form, &channel);
}

int oriel_voice_near(void *opaque, int16_t *frame, int delay_ms) {
  auto &voice = *static_cast<Voice *>(opaque);
  load(voice, frame);
  float *channel = voice.samples;
  const webrtc::StreamConfig form(kRate, 1);
  voice.processing->set_stream_delay_ms(std::clamp(delay_ms, 0, 500));
  const int error = voice.processing->ProcessStream(&channel, form, form, &channel);
  if (error != 0) return error;
  for (int i = 0; i < kFrame; i++) {
    frame[i] = static_cast<int16_t>(std::clamp(std::lrintf(voice.samples[i] * 32768.0f), -32768L, 32767L));
  }
  return 0;
}
