"""Puts recordings into the cloud of a platform on this machine, as uploads would have left them: many days in a moment.

Every recording is the same film of a minute under another time.
"""

import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import struct
import subprocess
import time

MINUTE = 60_000
#: Pictures a second of `clock_film`.
RATE = 10
# The grey of the left half is the second of the film, that of the right half the tenth.
CLOCK = (
    f"nullsrc=s=320x180:r={RATE}:d=60,geq=lum='if(lt(X,160),16+3.5*floor(T+0.001),16+20*floor(mod(10*T+0.01,10)))'"
    ":cb=128:cr=128"
)


def fragmented(path, *inputs):
    """Encodes a film as the camera stores it: fragments of half a second, a key frame every two, Opus beside it."""
    subprocess.run(
        ["ffmpeg", "-y", "-loglevel", "error", *inputs, "-t", "60", "-c:v", "libx264", "-preset", "ultrafast",
         "-profile:v", "main", "-bf", "0", "-g", str(2 * RATE), "-sc_threshold", "0", "-pix_fmt", "yuv420p", "-crf", "18",
         "-c:a", "libopus", "-b:a", "32k", "-ar", "48000", "-frag_duration", "500000", "-movflags",
         "+empty_moov+default_base_moof+frag_keyframe", path],
        check=True)
    return path


def clock_film(path):
    return fragmented(path, "-f", "lavfi", "-i", CLOCK, "-f", "lavfi", "-i", "sine=440:d=60")


def looped_film(path, source):
    return fragmented(path, "-stream_loop", "-1", "-i", source, "-f", "lavfi", "-i", "sine=440:d=60", "-r", str(RATE))


def boxes(data, start=0, end=None):
    place, end = start, len(data) if end is None else end
    while place + 8 <= end:
        size, kind = struct.unpack(">I4s", data[place : place + 8])
        yield kind, place, place + size
        place += size


def fragment_list(path):
    """What a camera tells with its upload (Sources/Model/Records/FragmentList.swift)."""
    shown = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time,duration_time,pos,flags", "-of",
         "json", path], check=True, capture_output=True, text=True)
    packets = json.loads(shown.stdout)["packets"]
    with open(path, "rb") as file:
        data = file.read()
    head, fragments, moof = None, [], None
    for kind, start, end in boxes(data):
        if kind == b"moof":
            head = start if head is None else head
            moof = start
        elif kind == b"mdat":
            inside = [packet for packet in packets if start <= int(packet["pos"]) < end]
            if not inside:
                # Sound alone belongs to the fragment before it.
                fragments[-1][1] = end - fragments[-1][0]
                continue
            first = round(float(inside[0]["pts_time"]) * 1000)
            last = round((float(inside[-1]["pts_time"]) + 1 / RATE) * 1000)
            fragments.append([moof, end - moof, first, last - first, int("K" in inside[0]["flags"])])
    return {"headSize": head, "fragments": fragments}


class CloudSeed:
    """Recordings for one camera of a house."""

    def __init__(self, house, serial, film):
        self.house, self.serial, self.film = house, serial, film
        self.fragments = json.dumps(fragment_list(film))
        self.size = os.path.getsize(film)
        self.files = os.path.join(house.folder, "platform", "cloud", "files")

    def add(self, times, kind="continuous", length=MINUTE, camera=1):
        """A recording for each time, in UTC milliseconds."""
        with open(self.film, "rb") as file:
            digest = hashlib.sha256(file.read()).digest()
        database = sqlite3.connect(os.path.join(self.house.folder, "platform", "platform.sqlite"), timeout=20)
        try:
            account = database.execute("SELECT owner FROM devices WHERE serial = ?", (self.serial,)).fetchone()[0]
            for start in times:
                name = secrets.token_hex(16)
                path = os.path.join(self.files, name[:2], name + ".mp4")
                os.makedirs(os.path.dirname(path), exist_ok=True)
                try:
                    os.link(self.film, path)
                except OSError:
                    shutil.copy(self.film, path)
                database.execute(
                    "INSERT INTO cloud_files (id, account, serial, camera, kind, start_time, end_time, size, digest,"
                    " is_encrypted, state, heard) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 1, ?)",
                    (name, account, self.serial, camera, kind, start, start + length, self.size, digest,
                     int(time.time() * 1000)))
                database.execute("INSERT INTO cloud_fragments (id, list) VALUES (?, ?)", (name, self.fragments))
            database.commit()
        finally:
            database.close()

    def stretch(self, start, minutes, **options):
        self.add([start + minute * MINUTE for minute in range(minutes)], **options)
