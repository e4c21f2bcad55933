"""CPU and disk writes of recording one stream: Oriel's writer, GStreamer's splitmuxsink, ffmpeg -c copy.

Each is fed the same H.264 at the same pace, once recording and once doing all but that; the difference counts.
"""

import json
import os
import subprocess
import tempfile
import time


def cost(command, seconds):
    """CPU seconds of a process and the most that /proc said it wrote, and what it printed."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    written = 0
    limit = time.monotonic() + seconds * 2 + 30
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > limit:
            process.kill()
        try:
            with open(f"/proc/{process.pid}/io") as file:
                written = max(written, next(int(line.split()[1]) for line in file if line.startswith("write_bytes")))
        except (OSError, StopIteration):
            pass
        time.sleep(0.05)
    process.returncode = os.waitstatus_to_exitcode(status)
    said = process.stdout.read()
    if process.returncode:
        raise RuntimeError(f"{command[0]}: {process.stderr.read()[-2000:]}")
    process.stdout.close()
    process.stderr.close()
    return usage.ru_utime + usage.ru_stime, written, said


def measure(program, feed, folder, seconds):
    """Gives a row for each recorder: name, CPU added in percent of a core, bytes written and bytes of the file per byte of
    media, CPU in all. `seconds` is a multiple of 20, the length of the feed."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        media = os.path.join(place, "feed.h264")
        with open(feed, "rb") as one, open(media, "wb") as many:
            many.write(one.read() * (seconds // 20))
        size = os.path.getsize(media)
        # A byte stream has no timestamps, and mp4mux wants some.
        timed = os.path.join(place, "feed.mkv")
        subprocess.run(["ffmpeg", "-v", "error", "-r", "30", "-i", media, "-c", "copy", timed], check=True)
        gst = ["gst-launch-1.0", "-q", "filesrc", f"location={timed}", "!", "matroskademux", "!", "h264parse", "!",
               "video/x-h264,stream-format=avc,alignment=au", "!", "identity", "sync=true", "!"]
        muxer = ("splitmuxsink name=s async-finalize=true muxer-factory=mp4mux max-size-time=60000000000 "
                 "muxer-properties=properties,fragment-duration=500,streamable=true "
                 "sink-properties=properties,buffer-mode=(int)2").split()
        ffmpeg = ["ffmpeg", "-v", "error", "-re", "-r", "30", "-i", media, "-c", "copy", "-f"]
        fragments = ["mp4", "-movflags", "empty_moov+default_base_moof", "-frag_duration", "500000"]
        ways = {
            "Oriel": ([program, "recording", "--source", media, "--seconds", str(seconds)], ["--file", f"{place}/oriel.mp4"], []),
            "splitmuxsink, MP4 of 500 ms": (gst, muxer + [f"location={place}/gst%d.mp4"], ["fakesink"]),
            "ffmpeg -c copy, MP4 of 500 ms": (ffmpeg, fragments + [f"{place}/ffmpeg.mp4"], ["null", "-"]),
        }
        rows = []
        for name, (command, recording, idle) in ways.items():
            before, _, _ = cost(command + idle, seconds)
            cpu, written, said = cost(command + recording, seconds)
            if name == "Oriel":
                written = json.loads(said)["written"]
            kept = sum(os.path.getsize(os.path.join(place, file)) for file in os.listdir(place) if file.endswith(".mp4"))
            for file in os.listdir(place):
                if file.endswith(".mp4"):
                    os.unlink(os.path.join(place, file))
            rows.append([name, (cpu - before) / seconds * 100, written / size, kept / size, cpu / seconds * 100])
            print("  ", *rows[-1], flush=True)
        return rows
