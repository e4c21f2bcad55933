"""What recording costs a whole agent, and what its index takes to list a day of half a year."""

import glob
import json
import os
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from Support.programs import House, wait_until

DAY = 86_400_000
MINUTE = 60_000


def written(pid):
    with open(f"/proc/{pid}/io") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("write_bytes"))


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cost(feed, folder, seconds):
    """An agent that records and one that does not, side by side: CPU of both in percent of a core, and bytes written per byte
    of pictures. `feed` is H.264 of 30 pictures a second."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        film = os.path.join(place, "feed.mp4")
        subprocess.run(["ffmpeg", "-v", "error", "-r", "30", "-i", feed, "-c", "copy", film], check=True)
        recordings = os.path.join(place, "recordings")
        paths = lambda: glob.glob(recordings + "/20*/*.mp4")  # noqa: E731
        size = lambda: sum(os.path.getsize(path) for path in paths())  # noqa: E731
        house = House()
        try:
            idle, _, _ = house.start_camera("idle", "--source", film)
            busy, _, _ = house.start_camera("busy", "--source", film, "--record", "continuous", "--recordings", recordings)
            wait_until(lambda: size() > 1_000_000, 30, "a recording")
            pids = idle.process.pid, busy.process.pid
            look = lambda: (*map(cpu_seconds, pids), written(pids[1]), size())  # noqa: E731
            before = look()
            time.sleep(seconds)
            without, recording, wrote, grew = (one - other for one, other in zip(look(), before))
            busy.stop()
            pictures = 0
            for path in paths():
                shown = subprocess.run(
                    ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=size", "-of", "json", path],
                    check=True, capture_output=True, text=True)
                pictures += sum(int(packet["size"]) for packet in json.loads(shown.stdout)["packets"])
            ratio = wrote / grew * size() / pictures
        finally:
            house.close()
    return without / seconds * 100, recording / seconds * 100, ratio


def listing(count):
    """Milliseconds that a day among 180 of one-minute files takes, asked of the platform, for stretches and for files."""
    house = House()
    try:
        house.login()
        recordings = os.path.join(house.folder, "recordings")
        options = ["--record", "events", "--recordings", recordings]
        camera, serial = house.add_camera("camera", *options)
        index = os.path.join(recordings, "index.sqlite")
        wait_until(lambda: os.path.exists(index), what="the index")
        camera.stop()
        first = (int(time.time() * 1000) // DAY - 190) * DAY
        with sqlite3.connect(index) as database:
            database.executemany(
                'INSERT INTO recordings(camera, stream, start, "end", size, kind, growing, locked, uploaded, sealed, path) '
                "VALUES (1, 1, ?, ?, 15000000, 'continuous', 0, 0, 0, 0, ?)",
                ((start, start + MINUTE, f"{start}.mp4") for start in range(first, first + 180 * DAY, MINUTE)))
        database.close()
        house.start("camera", camera.arguments + ["--record-days", "400", "--record-limit", "9TB"])
        token = house.access_token()

        def ask(form):
            day = first + 90 * DAY
            request = urllib.request.Request(
                f"{house.server}/v1/devices/{serial}/cameras/1/recordings?from={day}&to={day + DAY}&form={form}&store=device",
                headers={"Authorization": f"Bearer {token}"})
            while True:
                began = time.monotonic()
                try:
                    with urllib.request.urlopen(request, timeout=20) as answer:
                        files = json.load(answer)["files"]
                    return (time.monotonic() - began) * 1000, files
                except urllib.error.HTTPError as refused:
                    # An account may ask so often in a second, and no more; that is no time of the listing.
                    if refused.code != 429:
                        raise
                    time.sleep(1)

        wait_until(lambda: len(ask("stretches")[1]) == 1, 30, "the day")
        return {form: [ask(form)[0] for _ in range(count)] for form in ("stretches", "files")}
    finally:
        house.close()
