"""How long a seek takes in a recording of 1080p30 with a key frame every two seconds, on the camera and in the cloud."""

import glob
import json
import os
import subprocess
import tempfile
import time

from Support.programs import House, wait_until


def times(ask, feed, folder, seconds, count):
    """Milliseconds of each seek, for both stores. `ask` runs oriel-bench in a house; `feed` is H.264 of 30 pictures a second."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        film = os.path.join(place, "feed.mp4")
        subprocess.run(["ffmpeg", "-v", "error", "-r", "30", "-i", feed, "-c", "copy", film], check=True)
        recordings = os.path.join(place, "recordings")
        house = House()
        try:
            house.login()
            camera, serial = house.add_camera(
                "camera", "--source", film, "--record", "continuous", "--recordings", recordings, "--upload", "all")
            wait_until(lambda: glob.glob(recordings + "/20*/*.mp4"), 30, "a recording")
            time.sleep(seconds)
            # A file that is finished goes to the cloud.
            camera.stop()
            house.start("camera", camera.arguments)

            def is_uploaded():
                done = house.run("records", serial, "--cloud", "--json", check=False)
                return done.returncode == 0 and json.loads(done.stdout)["records"]

            wait_until(is_uploaded, 60, "the cloud")
            return {store: ask(house, "seek", "--serial", serial, "--store", store, "--count", str(count))
                    for store in ("device", "cloud")}
        finally:
            house.close()
