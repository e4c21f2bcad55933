"""Runs ManualDemo against a real platform with a real camera, and against what it must report."""

import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests", "EndToEnd"))
from Support.programs import House, wait_until  # noqa: E402
from Support.sound import SoundServer  # noqa: E402


def run(environment, *arguments):
    inherited = {name: value for name, value in os.environ.items() if name != "ORIEL_ACCESS_TOKEN"}
    done = subprocess.run(
        [os.environ["DEMO"], *arguments], env={**inherited, **environment}, capture_output=True, text=True,
        timeout=60)
    return done.returncode, done.stdout + done.stderr


sound = SoundServer("door", "phone")
house = House()
try:
    house.environment.update(sound.environment)
    house.login()
    camera, serial = house.add_camera(
        "camera", "--source", "test", "--record", "continuous", "--upload", "all",
        "--talk", "half", "--speaker", "door")

    def recorded(*options):
        done = house.run("records", serial, "--files", "--json", *options, check=False)
        return json.loads(done.stdout)["records"] if done.returncode == 0 else []

    # A recording is finished, and uploaded, when the camera is started anew.
    wait_until(lambda: any(file["endTime"] - file["startTime"] > 4000 for file in recorded()), 20, "four seconds")
    camera.stop()
    camera = house.start("camera", camera.arguments)
    wait_until(lambda: len(recorded()) == 2, 20, "a second recording")
    wait_until(lambda: recorded("--cloud"), 20, "a recording in the cloud")
    token = house.access_token()
    with open(os.path.join(house.folder, "platform", "application.json")) as file:
        app_key = json.load(file)["appKey"]
    environment = {"ORIEL_SERVER": house.server, "ORIEL_ACCESS_TOKEN": token, "DISPLAY": "", **sound.environment}

    # Client mode: nobody gives the program a token.
    browser = os.path.join(os.path.dirname(os.path.abspath(__file__)), "browser.py")
    client = {**environment, "BROWSER": browser, "PASSWORD_FILE": os.path.join(house.folder, "password.txt")}
    del client["ORIEL_ACCESS_TOKEN"]
    code, said = run(client, app_key)
    assert code == 0, said
    for line in ("1 areas, Local", "signed in on the page", "1 devices", f"{serial} ", "message 1", "picture 1280x720", "captured a JPEG", "stopped after", "2 recordings on the device", "1 recordings in the cloud",
                 "playback message 11", "playback message 12", "playback ended at the recording's end",
                 "talk 3", "talk message 4", "talk message 5"):
        assert line in said, f"{line!r} is missing:\n{said}"
    assert "failed" not in said and said.count("playback message 12") == 2, said

    code, said = run({**environment, "ORIEL_ACCESS_TOKEN": "at.wrong"}, app_key)
    assert code == 1 and "failed 110002" in said, said
    print("the manual's program shows pictures, and says what is wrong")
finally:
    house.close()
    sound.close()
