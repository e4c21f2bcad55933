"""GStreamer's webrtcbin as a viewer: prints its offer, reads the answer, counts decoded pictures for some seconds."""

import json
import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstWebRTC", "1.0")
gi.require_version("GstSdp", "1.0")
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: E402

Gst.init(None)
pipeline = Gst.Pipeline.new()
peer = Gst.ElementFactory.make("webrtcbin")
peer.set_property("bundle-policy", GstWebRTC.WebRTCBundlePolicy.MAX_BUNDLE)
pipeline.add(peer)
counted = {"frames": 0, "width": 0}
loop = GLib.MainLoop()


def on_picture(sink):
    sample = sink.emit("pull-sample")
    counted["frames"] += 1
    counted["width"] = sample.get_caps().get_structure(0).get_value("width")
    return Gst.FlowReturn.OK


def on_pad(_, pad):
    kind = pad.get_current_caps().get_structure(0).get_value("media")
    chain = ("rtph264depay ! avdec_h264 ! appsink name=pictures emit-signals=true sync=false" if kind == "video"
             else "rtpopusdepay ! fakesink")
    branch = Gst.parse_bin_from_description(chain, True)
    pipeline.add(branch)
    if kind == "video":
        branch.get_by_name("pictures").connect("new-sample", on_picture)
    branch.sync_state_with_parent()
    pad.link(branch.get_static_pad("sink"))


def read_answer():
    sdp = json.loads(sys.stdin.readline())["sdp"]
    _, message = GstSdp.SDPMessage.new_from_text(sdp)
    answer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, message)
    peer.emit("set-remote-description", answer, Gst.Promise.new())
    GLib.timeout_add_seconds(4, loop.quit)


def on_gathering(*_):
    if peer.get_property("ice-gathering-state") == GstWebRTC.WebRTCICEGatheringState.COMPLETE:
        print(json.dumps({"type": "offer", "sdp": peer.get_property("local-description").sdp.as_text()}), flush=True)
        threading.Thread(target=read_answer, daemon=True).start()


def on_offer(promise, _):
    # Kept by name: the offer is freed with its reply.
    reply = promise.get_reply()
    offer = reply.get_value("offer")
    peer.emit("set-local-description", offer, Gst.Promise.new())


peer.connect("pad-added", on_pad)
peer.connect("notify::ice-gathering-state", on_gathering)
pipeline.set_state(Gst.State.PLAYING)
receive = GstWebRTC.WebRTCRTPTransceiverDirection.RECVONLY
peer.emit("add-transceiver", receive, Gst.Caps.from_string(
    "application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000,packetization-mode=(string)1,"
    "profile-level-id=(string)42e01f"))
peer.emit("add-transceiver", receive, Gst.Caps.from_string(
    "application/x-rtp,media=audio,encoding-name=OPUS,payload=97,clock-rate=48000,encoding-params=(string)2"))
peer.emit("create-offer", None, Gst.Promise.new_with_change_func(on_offer, None))
loop.run()
print(json.dumps(counted), flush=True)
pipeline.set_state(Gst.State.NULL)
