#pragma once
// The headers of webrtc-audio-processing are C++; CVoiceProcessing includes them. This module carries the flags.
