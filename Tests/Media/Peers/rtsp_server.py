#!/usr/bin/python3
"""An RTSP camera that is not ours, on GStreamer's RTSP server. Prints its port, ends with its parent."""
import argparse
import os

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--codec", default="h264", choices=["h264", "h265", "bframes", "interlaced", "jpeg"])
parser.add_argument("--audio", default="none", choices=["none", "pcmu", "pcma", "aac", "opus", "silent"])
parser.add_argument("--user")
parser.add_argument("--password", default="")
parser.add_argument("--stall", type=float, help="send nothing after so many seconds")
parser.add_argument("--resize", type=float, help="change the size after so many seconds")
parser.add_argument("--udp-only", action="store_true")
parser.add_argument("--port", default="0")
options = parser.parse_args()

Gst.init(None)
size = "width=640,height=360"
picture = f"videotestsrc is-live=true name=picture ! capsfilter name=size caps=video/x-raw,format=I420,{size},framerate=25/1"
x264 = "x264enc speed-preset=ultrafast bitrate=600 key-int-max=25"
video = {
    "h264": f"{picture} ! {x264} tune=zerolatency sliced-threads=false threads=1"
    " ! video/x-h264,profile=main ! rtph264pay name=pay0 pt=96",
    "bframes": f"{picture} ! {x264} bframes=2 b-adapt=false ! video/x-h264,profile=high ! rtph264pay name=pay0 pt=96",
    "interlaced": f"{picture.replace('framerate=25/1', 'framerate=25/1,interlace-mode=interleaved')}"
    f" ! {x264} tune=zerolatency interlaced=true"
    " ! video/x-h264,profile=high ! rtph264pay name=pay0 pt=96",
    "h265": f"{picture} ! x265enc speed-preset=ultrafast tune=zerolatency bitrate=600 key-int-max=25"
    " ! rtph265pay name=pay0 pt=96",
    "jpeg": f"{picture} ! jpegenc ! rtpjpegpay name=pay0 pt=26",
}[options.codec]
tone = "audiotestsrc is-live=true ! audioconvert ! audioresample"
audio = {
    "none": "",
    "pcmu": f"{tone} ! audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay name=pay1 pt=0",
    "pcma": f"{tone} ! audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay name=pay1 pt=8",
    "aac": f"{tone} ! audio/x-raw,rate=16000,channels=1 ! avenc_aac ! aacparse ! rtpmp4gpay name=pay1 pt=97",
    "opus": f"{tone} ! audio/x-raw,rate=48000,channels=2 ! opusenc ! rtpopuspay name=pay1 pt=98",
    # Announced, and then nothing but the first packet, which the server needs to describe it.
    "silent": f"{tone} ! audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay name=pay1 pt=0",
}[options.audio]


def configure(factory, media):
    element = media.get_element()

    def drop(name, times):
        pad = element.get_by_name(name).get_static_pad("src")
        pad.add_probe(Gst.PadProbeType.BUFFER | Gst.PadProbeType.BUFFER_LIST, lambda *_: Gst.PadProbeReturn.DROP)
        return False

    if options.stall is not None:
        GLib.timeout_add(int(options.stall * 1000), drop, "pay0", 0)
    if options.audio == "silent":
        media.connect("new-state", lambda _, state: drop("pay1", 0) if state == Gst.State.PLAYING.real else None)
    if options.resize is not None:
        caps = Gst.Caps.from_string("video/x-raw,format=I420,width=320,height=240,framerate=25/1")
        GLib.timeout_add(
            int(options.resize * 1000), lambda: element.get_by_name("size").set_property("caps", caps) or False)


server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(options.port)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(f"( {video} {audio} )")
factory.set_shared(True)
if options.udp_only:
    gi.require_version("GstRtsp", "1.0")
    from gi.repository import GstRtsp

    factory.set_protocols(GstRtsp.RTSPLowerTrans.UDP)
factory.connect("media-configure", configure)
if options.user:
    auth = GstRtspServer.RTSPAuth()
    auth.set_supported_methods(2)  # digest
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "viewer")
    auth.add_digest(options.user, options.password, token)
    server.set_auth(auth)
    factory.add_role_from_structure(
        Gst.Structure.new_from_string("viewer, media.factory.access=(boolean)true, media.factory.construct=(boolean)true")[0]
        if isinstance(Gst.Structure.new_from_string("viewer"), tuple)
        else Gst.Structure.new_from_string("viewer, media.factory.access=(boolean)true, media.factory.construct=(boolean)true"))
server.get_mount_points().add_factory("/live", factory)
server.attach(None)
print(server.get_bound_port(), flush=True)
loop = GLib.MainLoop()

parent = os.getppid()
GLib.timeout_add(500, lambda: os.getppid() == parent or loop.quit() or False)
loop.run()
