#define _GNU_SOURCE
#include "CMediaShims.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

GstElement *oriel_pipeline_parse(const char *description, int *missing, char **message) {
  GError *error = NULL;
  *missing = 0;
  *message = NULL;
  GstElement *pipeline = gst_parse_launch_full(description, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (error) {
    *missing = g_error_matches(error, GST_PARSE_ERROR, GST_PARSE_ERROR_NO_SUCH_ELEMENT);
    *message = g_strdup(error->message);
    g_error_free(error);
    if (pipeline) gst_object_unref(pipeline);
    return NULL;
  }
  if (pipeline && !GST_IS_PIPELINE(pipeline)) {
    GstElement *outer = gst_pipeline_new(NULL);
    gst_bin_add(GST_BIN(outer), pipeline);
    pipeline = outer;
  }
  if (pipeline) gst_object_ref_sink(pipeline);
  return pipeline;
}

GstElement *oriel_bin_parse(const char *description) {
  GError *error = NULL;
  GstElement *bin = gst_parse_bin_from_description(description, TRUE, &error);
  if (error) {
    g_error_free(error);
    if (bin) gst_object_unref(bin);
    return NULL;
  }
  return bin;
}

GstElement *oriel_bin_child(GstElement *bin, const char *name) {
  return gst_bin_get_by_name(GST_BIN(bin), name);
}

int oriel_bin_add(GstElement *bin, GstElement *element) { return gst_bin_add(GST_BIN(bin), element); }

void oriel_pipeline_use_system_clock(GstElement *pipeline) {
  GstClock *clock = gst_system_clock_obtain();
  gst_pipeline_use_clock(GST_PIPELINE(pipeline), clock);
  gst_object_unref(clock);
}

void oriel_set_string(GstElement *element, const char *property, const char *value) {
  g_object_set(element, property, value, NULL);
}

void oriel_set_arg(GstElement *element, const char *property, const char *value) {
  gst_util_set_object_arg(G_OBJECT(element), property, value);
}

int oriel_has_property(GstElement *element, const char *property) {
  return g_object_class_find_property(G_OBJECT_GET_CLASS(element), property) != NULL;
}

// The shared bus thread.

static gpointer run_bus_thread(gpointer context) {
  g_main_context_push_thread_default(context);
  for (;;) g_main_context_iteration(context, TRUE);
  return NULL;
}

static GMainContext *bus_context(void) {
  static gsize once = 0;
  if (g_once_init_enter(&once)) {
    GMainContext *context = g_main_context_new();
    g_thread_unref(g_thread_new("media-bus", run_bus_thread, context));
    g_once_init_leave(&once, (gsize)context);
  }
  return (GMainContext *)once;
}

typedef struct {
  GstElement *pipeline;
  oriel_message_fn handler;
  void *context;
  GDestroyNotify release;
} watch_data;

static gboolean on_message(GstBus *bus, GstMessage *message, gpointer data) {
  watch_data *watch = data;
  switch (GST_MESSAGE_TYPE(message)) {
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency(GST_BIN(watch->pipeline));
      break;
    case GST_MESSAGE_ERROR:
    case GST_MESSAGE_WARNING:
    case GST_MESSAGE_EOS:
      watch->handler(watch->context, message);
      break;
    default:
      break;
  }
  return G_SOURCE_CONTINUE;
}

static void free_watch(gpointer data) {
  watch_data *watch = data;
  if (watch->release) watch->release(watch->context);
  gst_object_unref(watch->pipeline);
  g_free(watch);
}

void *oriel_bus_watch(GstElement *pipeline, oriel_message_fn handler, void *context, GDestroyNotify release) {
  watch_data *data = g_new0(watch_data, 1);
  data->pipeline = gst_object_ref(pipeline);
  data->handler = handler;
  data->context = context;
  data->release = release;
  GstBus *bus = gst_element_get_bus(pipeline);
  GSource *source = gst_bus_create_watch(bus);
  g_source_set_callback(source, G_SOURCE_FUNC(on_message), data, free_watch);
  g_source_attach(source, bus_context());
  gst_object_unref(bus);
  return source;
}

void oriel_bus_unwatch(void *watch) {
  g_source_destroy(watch);
  g_source_unref(watch);
}

// Threads of sound.

void oriel_thread_hurry(int children) {
  // Below a sound server's own.
  struct sched_param parameters = {.sched_priority = 3};
  int policy = SCHED_RR | (children ? 0 : SCHED_RESET_ON_FORK);
  if (sched_setscheduler(0, policy, &parameters) != 0) setpriority(PRIO_PROCESS, 0, -11);
}

void oriel_thread_calm(void) {
  struct sched_param parameters = {.sched_priority = 0};
  sched_setscheduler(0, SCHED_OTHER, &parameters);
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, getpid()));
}

static GstBusSyncReply on_sync_message(GstBus *bus, GstMessage *message, gpointer data) {
  if (GST_MESSAGE_TYPE(message) != GST_MESSAGE_STREAM_STATUS) return GST_BUS_PASS;
  GstStreamStatusType type;
  GstElement *owner;
  gst_message_parse_stream_status(message, &type, &owner);
  // The thread comes from a pool that others use afterwards.
  if (type == GST_STREAM_STATUS_TYPE_ENTER) oriel_thread_hurry(0);
  if (type == GST_STREAM_STATUS_TYPE_LEAVE) oriel_thread_calm();
  return GST_BUS_PASS;
}

void oriel_pipeline_hurry(GstElement *pipeline) {
  GstBus *bus = gst_element_get_bus(pipeline);
  gst_bus_set_sync_handler(bus, on_sync_message, NULL, NULL);
  gst_object_unref(bus);
}

static void do_nothing(gpointer data, gpointer context) {}

void oriel_calm_pool(void) {
  GThreadPool *pool = g_thread_pool_new(do_nothing, NULL, 1, FALSE, NULL);
  if (pool) g_thread_pool_free(pool, FALSE, TRUE);
}

// appsink, appsrc.

typedef struct {
  oriel_sample_fn handler;
  void *context;
  GDestroyNotify release;
} sample_data;

static GstFlowReturn on_sample(GstAppSink *sink, gpointer data) {
  sample_data *target = data;
  GstSample *sample = gst_app_sink_pull_sample(sink);
  if (!sample) return GST_FLOW_OK;
  target->handler(target->context, sample);
  gst_sample_unref(sample);
  return GST_FLOW_OK;
}

static void on_end(GstAppSink *sink, gpointer data) {
  sample_data *target = data;
  target->handler(target->context, NULL);
}

static void free_sample_data(gpointer data) {
  sample_data *target = data;
  if (target->release) target->release(target->context);
  g_free(target);
}

void oriel_sink_on_sample(
  GstElement *sink, oriel_sample_fn handler, void *context, GDestroyNotify release) {
  sample_data *data = g_new0(sample_data, 1);
  data->handler = handler;
  data->context = context;
  data->release = release;
  GstAppSinkCallbacks callbacks = {.new_sample = on_sample, .eos = on_end};
  gst_app_sink_set_callbacks(GST_APP_SINK(sink), &callbacks, data, free_sample_data);
}

int oriel_source_push(GstElement *source, GstBuffer *buffer) {
  return gst_app_src_push_buffer(GST_APP_SRC(source), buffer);
}

int oriel_source_end(GstElement *source) { return gst_app_src_end_of_stream(GST_APP_SRC(source)); }

void oriel_source_set_caps(GstElement *source, const char *text) {
  GstCaps *caps = gst_caps_from_string(text);
  if (!caps) return;
  gst_app_src_set_caps(GST_APP_SRC(source), caps);
  gst_caps_unref(caps);
}

void oriel_source_set_caps_of(GstElement *source, GstSample *sample) {
  gst_app_src_set_caps(GST_APP_SRC(source), gst_sample_get_caps(sample));
}

guint64 oriel_source_level(GstElement *source) {
  return gst_app_src_get_current_level_buffers(GST_APP_SRC(source));
}

GstSample *oriel_sink_pull(GstElement *sink, guint64 timeout) {
  return gst_app_sink_try_pull_sample(GST_APP_SINK(sink), timeout);
}

typedef struct {
  gsize size;
  oriel_fill_fn handler;
  void *context;
  GDestroyNotify release;
} fill_data;

static void on_need(GstAppSrc *source, guint length, gpointer data) {
  fill_data *target = data;
  GstBuffer *buffer = gst_buffer_new_allocate(NULL, target->size, NULL);
  GstMapInfo map;
  if (!buffer || !gst_buffer_map(buffer, &map, GST_MAP_WRITE)) return;
  target->handler(target->context, map.data, map.size);
  gst_buffer_unmap(buffer, &map);
  gst_app_src_push_buffer(source, buffer);
}

static void free_fill_data(gpointer data) {
  fill_data *target = data;
  if (target->release) target->release(target->context);
  g_free(target);
}

void oriel_source_on_need(
  GstElement *source, gsize size, oriel_fill_fn handler, void *context, GDestroyNotify release) {
  fill_data *data = g_new0(fill_data, 1);
  data->size = size;
  data->handler = handler;
  data->context = context;
  data->release = release;
  GstAppSrcCallbacks callbacks = {.need_data = on_need};
  gst_app_src_set_callbacks(GST_APP_SRC(source), &callbacks, data, free_fill_data);
}

gint64 oriel_sink_delay(GstElement *element) {
  if (!GST_IS_AUDIO_BASE_SINK(element)) return -1;
  GstAudioBaseSink *sink = GST_AUDIO_BASE_SINK(element);
  if (!sink->provided_clock || !sink->ringbuffer || sink->next_sample == (guint64)-1) return -1;
  if (!gst_audio_ring_buffer_is_acquired(sink->ringbuffer)) return -1;
  int rate = GST_AUDIO_INFO_RATE(&sink->ringbuffer->spec.info);
  GstClockTime played = gst_audio_clock_get_time(GST_AUDIO_CLOCK(sink->provided_clock));
  if (rate <= 0 || !GST_CLOCK_TIME_IS_VALID(played)) return -1;
  gint64 written = gst_util_uint64_scale(sink->next_sample, GST_SECOND, rate);
  return MAX(written - (gint64)played, 0);
}

// Signals.

typedef struct {
  void (*handler)(void);
  void *context;
  GDestroyNotify release;
} signal_data;

static void free_signal_data(gpointer data, GClosure *closure) {
  signal_data *target = data;
  if (target->release) target->release(target->context);
  g_free(target);
}

static void on_pad_added(GstElement *element, GstPad *pad, gpointer data) {
  signal_data *target = data;
  ((oriel_pad_fn)target->handler)(target->context, pad);
}

static gboolean on_select_stream(GstElement *element, guint number, GstCaps *caps, gpointer data) {
  signal_data *target = data;
  return ((oriel_stream_fn)target->handler)(target->context, number, caps);
}

static void connect_signal(
  GstElement *element, const char *name, GCallback callback, void (*handler)(void), void *context,
  GDestroyNotify release) {
  signal_data *data = g_new0(signal_data, 1);
  data->handler = handler;
  data->context = context;
  data->release = release;
  g_signal_connect_data(element, name, callback, data, free_signal_data, 0);
}

void oriel_on_pad_added(GstElement *element, oriel_pad_fn handler, void *context, GDestroyNotify release) {
  connect_signal(
    element, "pad-added", G_CALLBACK(on_pad_added), (void (*)(void))handler, context, release);
}

void oriel_on_select_stream(
  GstElement *element, oriel_stream_fn handler, void *context, GDestroyNotify release) {
  connect_signal(
    element, "select-stream", G_CALLBACK(on_select_stream), (void (*)(void))handler, context, release);
}

// Times and events.

guint64 oriel_sample_running_time(GstSample *sample) {
  GstBuffer *buffer = gst_sample_get_buffer(sample);
  const GstSegment *segment = gst_sample_get_segment(sample);
  if (!buffer || !segment || segment->format != GST_FORMAT_TIME) return GST_CLOCK_TIME_NONE;
  GstClockTime time = GST_BUFFER_PTS(buffer);
  if (!GST_CLOCK_TIME_IS_VALID(time)) time = GST_BUFFER_DTS(buffer);
  if (!GST_CLOCK_TIME_IS_VALID(time)) return GST_CLOCK_TIME_NONE;
  guint64 running = 0;
  int sign = gst_segment_to_running_time_full(segment, GST_FORMAT_TIME, time, &running);
  return sign > 0 ? running : sign < 0 ? 0 : GST_CLOCK_TIME_NONE;
}

void oriel_force_key_frame(GstElement *sink) {
  GstPad *pad = gst_element_get_static_pad(sink, "sink");
  if (!pad) return;
  gst_pad_push_event(
    pad, gst_video_event_new_upstream_force_key_unit(GST_CLOCK_TIME_NONE, TRUE, 0));
  gst_object_unref(pad);
}

void oriel_set_title(GstElement *source, const char *title) {
  GstTagList *tags = gst_tag_list_new(GST_TAG_TITLE, title, NULL);
  gst_element_send_event(source, gst_event_new_tag(tags));
}

guint64 oriel_time_none(void) { return GST_CLOCK_TIME_NONE; }

static GstPadProbeReturn on_buffer(GstPad *pad, GstPadProbeInfo *info, gpointer data) {
  signal_data *target = data;
  GstBuffer *buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
  GST_PAD_PROBE_INFO_DATA(info) = buffer;
  GstCaps *caps = gst_pad_get_current_caps(pad);
  if (caps) {
    ((oriel_buffer_fn)target->handler)(target->context, buffer, caps);
    gst_caps_unref(caps);
  }
  return GST_PAD_PROBE_OK;
}

static void free_probe_data(gpointer data) { free_signal_data(data, NULL); }

void oriel_on_buffer(GstElement *element, oriel_buffer_fn handler, void *context, GDestroyNotify release) {
  GstPad *pad = gst_element_get_static_pad(element, "sink");
  if (!pad) return;
  signal_data *data = g_new0(signal_data, 1);
  data->handler = (void (*)(void))handler;
  data->context = context;
  data->release = release;
  gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, on_buffer, data, free_probe_data);
  gst_object_unref(pad);
}

GstBuffer *oriel_buffer_stamped_copy(GstBuffer *buffer, guint64 pts) {
  GstBuffer *copy = gst_buffer_copy(buffer);
  GST_BUFFER_PTS(copy) = pts;
  GST_BUFFER_DTS(copy) = GST_CLOCK_TIME_NONE;
  GST_BUFFER_OFFSET(copy) = GST_BUFFER_OFFSET_NONE;
  GST_BUFFER_FLAG_UNSET(copy, GST_BUFFER_FLAG_DISCONT);
  return copy;
}

void oriel_unref(void *object) { gst_object_unref(object); }
void oriel_ref(void *object) { gst_object_ref(object); }
void oriel_sample_unref(GstSample *sample) { gst_sample_unref(sample); }
GstSample *oriel_sample_ref(GstSample *sample) { return gst_sample_ref(sample); }
