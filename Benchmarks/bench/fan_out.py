"""Sender CPU and memory per viewer: Oriel, Pion and Janus with the same receivers, on loopback and over veth."""

import json
import os
import shutil
import subprocess
import tempfile
import time

from .processes import Measured

RATE_BITS = 2_000_000


def make_feed(path, seconds=20):
    """1080p30 H.264 at 2 Mbit/s, one slice a picture, a key frame every two seconds."""
    if os.path.exists(path):
        return
    subprocess.run(
        f"gst-launch-1.0 -q videotestsrc num-buffers={seconds * 30} horizontal-speed=5 ! "
        "video/x-raw,width=1920,height=1080,framerate=30/1 ! "
        f"x264enc tune=zerolatency speed-preset=veryfast bitrate={RATE_BITS // 1000} key-int-max=60 sliced-threads=false ! "
        "video/x-h264,stream-format=byte-stream,alignment=au,profile=constrained-baseline ! "
        f"filesink location={path}", shell=True, check=True)


class Veth:
    """A second host: a namespace joined by a veth pair with UDP segmentation offload off."""

    name = "oriel-bench"
    here, there = "10.77.0.1", "10.77.0.2"

    def __enter__(self):
        self.__exit__()
        run = lambda text: subprocess.run(text.split(), check=True)
        run(f"ip netns add {self.name}")
        run(f"ip link add {self.name} type veth peer name eth0 netns {self.name}")
        run(f"ip addr add {self.here}/24 dev {self.name}")
        run(f"ip link set {self.name} up")
        run(f"ip -n {self.name} addr add {self.there}/24 dev eth0")
        run(f"ip -n {self.name} link set eth0 up")
        run(f"ip -n {self.name} link set lo up")
        run(f"ethtool -K {self.name} tx-udp-segmentation off")
        return self

    def __exit__(self, *_):
        subprocess.run(["ip", "netns", "del", self.name], stderr=subprocess.DEVNULL)
        subprocess.run(["ip", "link", "del", self.name], stderr=subprocess.DEVNULL)


def measure(sender, receivers_command, viewers, seconds, namespace=None):
    """CPU milliseconds per viewer-second, and resident bytes."""
    command = receivers_command + ["-n", str(viewers), "-seconds", str(seconds)]
    with Measured(command, namespace=namespace) as receivers:
        receivers.wait_for("measure", 120)
        cpu, began = sender.cpu_seconds(), time.monotonic()
        memory = sender.resident_bytes()
        threads = sender.threads()
        line = receivers.wait_for("{", seconds + 30)
        cpu, elapsed = sender.cpu_seconds() - cpu, time.monotonic() - began
    received = json.loads(line)
    return {
        "viewers": viewers,
        "cpu_ms_per_viewer_second": cpu * 1000 / elapsed / viewers,
        "resident_bytes": memory,
        "threads": threads,
        "packets_per_viewer_second": received["packets_per_viewer_second"],
        "bits_per_viewer_second": received["bits_per_viewer_second"],
    }


def with_memory(measure_with):
    """Adds what one more viewer costs: the first one also loads libraries and fills caches, once."""
    def measured(viewers, **options):
        one = measure_with(viewers=1, **{**options, "seconds": 2})
        many = measure_with(viewers=viewers, **options)
        many["bytes_per_viewer"] = (many["resident_bytes"] - one["resident_bytes"]) / (viewers - 1)
        return many

    return measured


def file_sender(command, tools, viewers, seconds, namespace=None, loopback=True):
    exchange = tempfile.mkdtemp()
    try:
        flag = f"-loopback={'true' if loopback else 'false'}"
        with Measured(command(exchange, loopback), ready="ready") as sender:
            time.sleep(1)
            return measure(
                sender, [f"{tools}/receivers", "-exchange", exchange, flag], viewers, seconds, namespace)
    finally:
        shutil.rmtree(exchange)


def oriel(tools, feed, program, **options):
    return file_sender(
        lambda exchange, loopback: [program, "fan-out", "--exchange", exchange, "--source", feed]
        + (["--loopback"] if loopback else []), tools, **options)


def pion(tools, feed, **options):
    return file_sender(
        lambda exchange, loopback: [
            f"{tools}/pion-sender", "-exchange", exchange, "-source", feed,
            f"-loopback={'true' if loopback else 'false'}"], tools, **options)


def janus(tools, feed, viewers, seconds, namespace=None, loopback=True):
    """Janus with one RTP mountpoint; a separate process packetizes the feed into it."""
    folder = tempfile.mkdtemp()
    address = "127.0.0.1" if loopback else Veth.here
    configurations = {
        "janus.jcfg": f'general: {{ configs_folder = "{folder}" admin_secret = "none" debug_level = 2 }}\n'
        'nat: { ice_enforce_list = "%s" }\nplugins: {}\nmedia: {}\n' % ("lo" if loopback else Veth.name),
        "janus.transport.http.jcfg": f'general: {{ json = "compact" http = true port = 18088 ip = "{address}" https = false }}\n'
        'admin: { admin_http = false }\n',
        "janus.plugin.streaming.jcfg": "general: {}\ncamera: { type = \"rtp\" id = 1 description = \"camera\" "
        'audio = false video = true videoport = 15004 videopt = 96 videocodec = "h264" '
        'videofmtp = "profile-level-id=42e01f;packetization-mode=1" videobufferkf = false }\n',
    }
    for name, text in configurations.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    feeder = (
        f"while true; do gst-launch-1.0 -q filesrc location={feed} ! "
        "video/x-h264,stream-format=byte-stream,framerate=30/1 ! h264parse config-interval=-1 ! "
        "rtph264pay mtu=1200 pt=96 ! udpsink host=127.0.0.1 port=15004 sync=true; done")
    command = ["janus", "-F", folder, "-N", "-L", os.path.join(folder, "log")]
    if loopback:
        command += ["-i", "lo"]
    try:
        with Measured(command) as sender, Measured(["bash", "-c", feeder]):
            time.sleep(2)
            return measure(
                sender, [f"{tools}/receivers", "-janus", f"http://{address}:18088/janus", "-datachannel=false",
                         f"-loopback={'true' if loopback else 'false'}"], viewers, seconds, namespace)
    finally:
        shutil.rmtree(folder)
