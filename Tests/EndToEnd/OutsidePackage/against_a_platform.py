"""Runs the programs of the outside package against a real platform with a real camera."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from Support.programs import House  # noqa: E402

house = House()
try:
    house.login()
    _, serial = house.add_camera()
    token = house.access_token()
    with open(os.path.join(house.folder, "platform", "application.json")) as file:
        app_key = json.load(file)["appKey"]
    environment = {**os.environ, **house.environment, "TOKEN": token, "SERIAL": serial, "APP_KEY": app_key}

    def run(name):
        done = subprocess.run(
            [os.path.join(os.environ["OUTSIDE"], name)], env=environment, cwd=house.folder, capture_output=True,
            text=True, timeout=60)
        assert done.returncode == 0, f"{name} ended with {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout

    kit = run("Kit")
    assert serial in kit and kit.count("1280 720") == 30, kit
    assert os.path.getsize(os.path.join(house.folder, "clip.mp4")) > 100_000
    names = run("Names")
    for line in ("message 1", "recording true", "recorded true", "imported", "space admin", "connected true", "snapshot true"):
        assert line in names, f"{line!r} is missing:\n{names}"
    assert "failed" not in names, names
    assert os.path.getsize(os.path.join(house.folder, "names.mp4")) > 100_000
    print("the outside package builds, and its programs show pictures")
finally:
    house.close()
