#pragma once
// What Swift cannot call itself: variadic functions, cast macros, signal handlers with their own signature.
#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/audio/audio.h>
#include <gst/audio/gstaudiobasesink.h>
#include <gst/gst.h>
#include <gst/video/video.h>

// Makes a pipeline from a description; NULL on failure, with *missing set to 1 when an element is not there.
GstElement *oriel_pipeline_parse(const char *description, int *missing, char **message);
// Makes a bin with ghost pads from a description; NULL on failure. The reference is floating.
GstElement *oriel_bin_parse(const char *description);

GstElement *oriel_bin_child(GstElement *bin, const char *name);
int oriel_bin_add(GstElement *bin, GstElement *element);
void oriel_pipeline_use_system_clock(GstElement *pipeline);

void oriel_set_string(GstElement *element, const char *property, const char *value);
void oriel_set_arg(GstElement *element, const char *property, const char *value);
int oriel_has_property(GstElement *element, const char *property);

// A reader of the pipeline's bus on one thread that all pipelines of the process share. It answers LATENCY
// by itself and hands on errors, warnings, end of stream and state changes of the pipeline. Destroy with
// oriel_bus_unwatch.
typedef void (*oriel_message_fn)(void *context, GstMessage *message);
void *oriel_bus_watch(GstElement *pipeline, oriel_message_fn handler, void *context, GDestroyNotify release);
void oriel_bus_unwatch(void *watch);

// Puts the calling thread before others, in real time where that is allowed; and with it those that it makes.
void oriel_thread_hurry(int children);
void oriel_thread_calm(void);
// Puts a pipeline's threads before others as long as they belong to it.
void oriel_pipeline_hurry(GstElement *pipeline);
// GLib's pool gives its threads the priority of whoever made the first pool: let it be an ordinary one.
void oriel_calm_pool(void);

// Calls the handler with each sample on the streaming thread; the sample is the handler's to borrow. NULL stands
// for the end of the stream.
typedef void (*oriel_sample_fn)(void *context, GstSample *sample);
void oriel_sink_on_sample(
  GstElement *sink, oriel_sample_fn handler, void *context, GDestroyNotify release);

// Pushes a buffer (takes it). The result is a GstFlowReturn.
int oriel_source_push(GstElement *source, GstBuffer *buffer);
int oriel_source_end(GstElement *source);
void oriel_source_set_caps(GstElement *source, const char *caps);
void oriel_source_set_caps_of(GstElement *source, GstSample *sample);
guint64 oriel_source_level(GstElement *source);
// Lets the handler fill a buffer of `size` bytes on the streaming thread whenever the appsrc has nothing to give.
typedef void (*oriel_fill_fn)(void *context, void *bytes, gsize size);
void oriel_source_on_need(
  GstElement *source, gsize size, oriel_fill_fn handler, void *context, GDestroyNotify release);
// Nanoseconds of sound that an audio sink took and has not played; -1 when it does not know. For its streaming thread.
gint64 oriel_sink_delay(GstElement *sink);
// Waits for a sample at most so many nanoseconds; NULL when none comes.
GstSample *oriel_sink_pull(GstElement *sink, guint64 timeout);

// Synchronous on the signalling thread, as linking must be.
typedef void (*oriel_pad_fn)(void *context, GstPad *pad);
void oriel_on_pad_added(GstElement *element, oriel_pad_fn handler, void *context, GDestroyNotify release);
typedef int (*oriel_stream_fn)(void *context, unsigned number, GstCaps *caps);
void oriel_on_select_stream(
  GstElement *element, oriel_stream_fn handler, void *context, GDestroyNotify release);

// The running time of a sample's buffer in nanoseconds; GST_CLOCK_TIME_NONE when it has none.
guint64 oriel_sample_running_time(GstSample *sample);
void oriel_force_key_frame(GstElement *sink);
void oriel_set_title(GstElement *source, const char *title);

guint64 oriel_time_none(void);
// Calls the handler with each buffer that arrives at the element's sink pad, made writable, and its format.
typedef void (*oriel_buffer_fn)(void *context, GstBuffer *buffer, GstCaps *caps);
void oriel_on_buffer(GstElement *element, oriel_buffer_fn handler, void *context, GDestroyNotify release);
GstBuffer *oriel_buffer_stamped_copy(GstBuffer *buffer, guint64 pts);
void oriel_unref(void *object);
void oriel_ref(void *object);
void oriel_sample_unref(GstSample *sample);
GstSample *oriel_sample_ref(GstSample *sample);
