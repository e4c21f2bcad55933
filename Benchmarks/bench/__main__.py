"""`make bench`: measures what the design promises, prints a table and writes docs/performance.md.

python3 -m bench [--quick] [measurement ...]   with measurements: fan-out, first-frame, latency, idle-links,
recording, recording-agent, seek, cloud
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from . import calibration, fan_out, recording, report
from .processes import Measured

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "EndToEnd"))
BUILD = os.path.join(ROOT, ".build", "release")
os.environ.setdefault("ORIEL", os.path.join(BUILD, "oriel"))
from Support.bucket import Bucket  # noqa: E402
from Support.programs import House  # noqa: E402

from . import agent, seek  # noqa: E402

BENCH = os.path.join(BUILD, "oriel-bench")


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))]


def ask(house, *arguments, timeout=300):
    done = subprocess.run(
        [BENCH, *arguments], capture_output=True, text=True, timeout=timeout,
        env={**os.environ, **house.environment})
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def with_camera(work):
    house = House()
    try:
        house.login()
        _, serial = house.add_camera()
        time.sleep(3)
        return work(house, serial)
    finally:
        house.close()


def first_frame(quick):
    tries = 10 if quick else 50
    times = with_camera(lambda house, serial: ask(house, "first-frame", "--serial", serial, "--tries", str(tries)))
    return [
        report.Figure("first frame after asking, p50", percentile(times, 0.5), 250, "ms"),
        report.Figure("first frame after asking, p95", percentile(times, 0.95), 400, "ms"),
    ], []


def latency(quick):
    seconds = 5 if quick else 20
    times = with_camera(
        lambda house, serial: ask(house, "picture-to-picture", "--serial", serial, "--seconds", str(seconds)))
    section = ("Picture to picture, 720p30", "Painted at the source to decoded at the viewer, two processes, whole milliseconds.",
               ["p5", "p50", "p95", "p99", "pictures"],
               [[percentile(times, part) for part in (0.05, 0.5, 0.95, 0.99)] + [len(times)]])
    return [report.Figure("picture to picture, p50", percentile(times, 0.5), 100, "ms")], [section]


def fan_out_figures(quick):
    tools = os.path.join(ROOT, ".build", "bench")
    os.makedirs(tools, exist_ok=True)
    for peer in ("receivers", "pion-sender"):
        subprocess.run([os.path.join(ROOT, "Benchmarks/Peers/build"), peer, os.path.join(tools, peer)], check=True)
    feed = os.path.join(tools, "feed.h264")
    fan_out.make_feed(feed)
    viewers, seconds = (20, 5) if quick else (50, 15)
    senders = {
        "Oriel": lambda **options: fan_out.oriel(tools, feed, BENCH, **options),
        "Pion": lambda **options: fan_out.pion(tools, feed, **options),
        "Janus": lambda **options: fan_out.janus(tools, feed, **options),
    }
    rows, figures = [], []
    for way in ("loopback", "veth"):
        measured = {}
        with fan_out.Veth() if way == "veth" else tempfile.TemporaryDirectory():
            namespace = fan_out.Veth.name if way == "veth" else None
            for name, sender in senders.items():
                options = {"seconds": seconds, "namespace": namespace, "loopback": way == "loopback"}
                one = measured[name] = fan_out.with_memory(sender)(viewers, **options)
                rows.append([way, name, viewers, f"{one['cpu_ms_per_viewer_second']:.2f}",
                             f"{one['bytes_per_viewer'] / 1000:.0f}", one["threads"],
                             f"{one['packets_per_viewer_second']:.0f}", f"{one['bits_per_viewer_second'] / 1e6:.2f}"])
                print("  ", *rows[-1], flush=True)
        cpu = {name: one["cpu_ms_per_viewer_second"] for name, one in measured.items()}
        figures += [
            report.Figure(f"sender CPU against Pion's, {way}", cpu["Oriel"] / cpu["Pion"], 0.4, "x", is_ratio=True),
            report.Figure(f"sender CPU against Janus's, {way}", cpu["Oriel"] / cpu["Janus"], 0.2, "x", is_ratio=True),
        ]
        if way == "loopback":
            figures.append(report.Figure(
                f"memory per viewer at {viewers}", measured["Oriel"]["bytes_per_viewer"] / 1000, 200, "kB"))
    section = ("Fan-out, one 1080p30 H.264 stream of 2 Mbit/s", "The same receivers for every sender; RTCP and packet history on. "
               "Memory is what one more viewer costs: resident at N less resident at 1, by N - 1.",
               ["way", "sender", "viewers", "CPU ms per viewer-second", "kB per viewer", "threads", "packets/s", "Mbit/s"], rows)
    return figures, [section]


def idle_links(quick):
    count = 500 if quick else 5000
    house = House(["--listen", "127.0.0.1", "--tls-port", "0", "--connections-per-address", "20000"])
    try:
        house.login()
        address = next(line for line in house.platform.output().split("'") if line.startswith("https://"))
        before = resident(house.platform.process.pid)
        with Measured([BENCH, "idle-links", "--server", address, "--count", str(count)]) as links:
            links.wait_for("connected", 300)
            time.sleep(2)
            each = (resident(house.platform.process.pid) - before) / count
            token = house.access_token()
            times = []
            for _ in range(100):
                began = time.perf_counter()
                urllib.request.urlopen(urllib.request.Request(
                    house.server + "/v1/devices", headers={"Authorization": f"Bearer {token}"})).read()
                times.append((time.perf_counter() - began) * 1000)
        return [
            report.Figure(f"memory per idle device link, TLS, {count} links", each / 1000, 40, "kB"),
            report.Figure(f"a request beside {count} idle links, p95", percentile(times, 0.95), 5, "ms"),
        ], []
    finally:
        house.close()


def recording_figures(quick):
    tools = os.path.join(ROOT, ".build", "bench")
    os.makedirs(tools, exist_ok=True)
    feed = os.path.join(tools, "feed.h264")
    fan_out.make_feed(feed)
    rows = recording.measure(BENCH, feed, tools, 20 if quick else 60)
    ours = rows[0]
    section = (
        "Recording one 1080p30 H.264 stream of 2 Mbit/s",
        "CPU is what recording adds to the same process that only keeps the pace. Written is `write_bytes` of /proc. Oriel "
        "syncs every five seconds; the others never do.",
        ["recorder", "CPU added, % of a core", "CPU in all, % of a core", "written per byte of media", "file per byte of media"],
        [[name, f"{added:.2f}", f"{whole:.2f}", f"{written:.3f}", f"{kept:.3f}"] for name, added, written, kept, whole in rows])
    return [
        report.Figure("CPU of recording one stream", ours[1], 1, "%"),
        report.Figure("bytes written per byte of media", ours[2], 1.05, "x", is_ratio=True),
    ], [section]


def recording_agent(quick):
    tools = os.path.join(ROOT, ".build", "bench")
    os.makedirs(tools, exist_ok=True)
    feed = os.path.join(tools, "feed.h264")
    fan_out.make_feed(feed)
    without, recording_too, ratio = agent.cost(feed, tools, 20 if quick else 120)
    print("  ", without, recording_too, ratio, flush=True)
    times = agent.listing(50 if quick else 200)
    rows = [[form] + [f"{percentile(some, part):.1f}" for part in (0.5, 0.95, 0.99)] for form, some in times.items()]
    print("  ", *rows, flush=True)
    sections = [
        ("A whole agent that records 1080p30 H.264 of 2 Mbit/s",
         "Beside one that does not, at the same time. Written is `write_bytes` of /proc, with index and journal.",
         ["not recording, % of a core", "recording, % of a core", "written per byte of pictures"],
         [[f"{without:.2f}", f"{recording_too:.2f}", f"{ratio:.3f}"]]),
        ("Listing a day among 180 days of one-minute files",
         "Asked of the platform, which asks the camera, milliseconds.", ["form", "p50", "p95", "p99"], rows),
    ]
    return [
        report.Figure("CPU of recording in an agent", recording_too - without, 1, "%"),
        report.Figure("bytes an agent writes per byte of pictures", ratio, 1.05, "x", is_ratio=True),
        report.Figure("a day among 180 days listed, p95", percentile(times["stretches"], 0.95), 20, "ms"),
    ], sections


def seeking(quick):
    tools = os.path.join(ROOT, ".build", "bench")
    os.makedirs(tools, exist_ok=True)
    feed = os.path.join(tools, "feed.h264")
    fan_out.make_feed(feed)
    times = seek.times(ask, feed, tools, *((15, 30) if quick else (60, 200)))
    rows = [[store] + [f"{percentile(some, part):.1f}" for part in (0.5, 0.95, 0.99)] + [len(some)] for store, some in times.items()]
    print("  ", *rows, flush=True)
    section = ("Seeks in a recording of 1080p30 H.264 of 2 Mbit/s", "From asking to the first decoded picture, at random moments, milliseconds.",
               ["store", "p50", "p95", "p99", "seeks"], rows)
    return [report.Figure(f"seek, {store}, p95", percentile(some, 0.95), 300, "ms") for store, some in times.items()], [section]


def cloud(quick):
    """The store as files, and as a bucket of Swift's on the same machine, with what that server takes itself."""
    count = 50 if quick else 300
    rows = []
    for name, times in (("files", cloud_times([], count)), ("bucket", bucket_times(count))):
        rows.append([name] + [f"{percentile(times, part):.1f}" for part in (0.5, 0.95, 0.99)] + [len(times)])
        print("  ", *rows[-1], flush=True)
    section = ("A read of 256 KiB at a random place of a recording in the cloud",
               "What a seek asks the platform for, over one kept connection, milliseconds. The bucket is OpenStack Swift's on "
               "the same machine.",
               ["store", "p50", "p95", "p99", "reads"], rows)
    # Of the 300 ms that a seek may take in all.
    return [report.Figure("read at a random place of the cloud, files, p95", float(rows[0][2]), 30, "ms")], [section]


def cloud_times(options, count):
    house = House(options)
    try:
        house.login()
        return ask(house, "cloud-ranges", "--server", house.server, "--token", house.access_token(), "--count", str(count))
    finally:
        house.close()


def bucket_times(count):
    with tempfile.TemporaryDirectory() as place, Bucket(place) as bucket:
        return cloud_times(bucket.options, count)


def resident(pid):
    with open(f"/proc/{pid}/smaps_rollup") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Rss:"))


MEASUREMENTS = {"first-frame": first_frame, "latency": latency, "fan-out": fan_out_figures, "idle-links": idle_links,
                "recording": recording_figures, "recording-agent": recording_agent,
                "seek": seeking,
                "cloud": cloud}


def main():
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and no docs/performance.md")
    parser.add_argument("measurements", nargs="*", help=", ".join(MEASUREMENTS))
    chosen = parser.parse_args()
    figures, sections = [], []
    for name in chosen.measurements or MEASUREMENTS:
        print(f"== {name}", flush=True)
        some, tables = MEASUREMENTS[name](chosen.quick)
        figures += some
        sections += tables
    print(report.text([["what", "measured", "bar", "verdict"]] + [figure.row() for figure in figures]))
    if not chosen.quick and not chosen.measurements:
        rates = {
            "loopback UDP echo, median": f"{calibration.loopback_echo_microseconds():.0f} us",
            "SHA-256 of one core": f"{calibration.hash_rate_megabytes():.0f} MB/s",
            "command": "make bench",
        }
        report.write(os.path.join(ROOT, "docs", "performance.md"), calibration.machine(), rates, figures, sections)
    sys.exit(any(figure.failed for figure in figures))


main()
