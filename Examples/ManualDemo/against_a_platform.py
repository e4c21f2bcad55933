"""Runs ManualDemo against a real platform with a real camera, and against what it must report."""

import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "EndToEnd"))
from Support.programs import House  # noqa: E402


def run(environment, *arguments):
    done = subprocess.run(
        [os.environ["DEMO"], *arguments], env={**os.environ, **environment}, capture_output=True, text=True,
        timeout=60)
    return done.returncode, done.stdout + done.stderr


house = House()
try:
    house.login()
    camera, serial = house.add_camera()
    token = house.access_token()
    with open(os.path.join(house.folder, "platform", "application.json")) as file:
        app_key = json.load(file)["appKey"]
    environment = {"ORIEL_SERVER": house.server, "ORIEL_ACCESS_TOKEN": token, "DISPLAY": ""}

    code, said = run(environment, app_key)
    assert code == 0, said
    for line in ("1 devices", f"{serial} ", "message 1", "picture 1280x720", "captured a JPEG", "stopped after"):
        assert line in said, f"{line!r} is missing:\n{said}"
    assert "failed" not in said, said

    code, said = run({**environment, "ORIEL_ACCESS_TOKEN": "at.wrong"}, app_key)
    assert code == 1 and "failed 110002" in said, said
    print("the manual's program shows pictures, and says what is wrong")
finally:
    house.close()
