"""What `make run` and `make demo` start: the account, the source, the end by Ctrl-C, the whole job without a person."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from Support.programs import ORIEL, ROOT, Program, free_port, lines_of, wait_until
from Support.terminal import Terminal


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="oriel-run-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = free_port()
        self.platform = os.path.join(self.folder, "platform")
        self.environment = {
            "ORIEL_SERVER": f"http://127.0.0.1:{self.port}", "XDG_CONFIG_HOME": os.path.join(self.folder, "config"),
            "XDG_DATA_HOME": os.path.join(self.folder, "data")}
        self.arguments = ["run", "--data", self.platform, "--port", str(self.port)]

    def on_a_terminal(self, **environment):
        terminal = Terminal([ORIEL, *self.arguments], {**self.environment, **environment})
        self.addCleanup(terminal.close)
        return terminal

    def without_a_terminal(self, *arguments, **environment):
        program = Program(self.folder, "run", self.arguments + list(arguments), {**self.environment, **environment})
        self.addCleanup(program.kill)
        return program

    def oriel(self, *arguments):
        return subprocess.run(
            [ORIEL, *arguments], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL,
            env={**os.environ, **self.environment})

    def private_file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
        return path

    def camera(self, password):
        """Signs in and returns what the account says of its one camera, once that has pictures."""
        done = self.oriel("login", "--password-file", self.private_file("password", password + "\n"))
        self.assertEqual(done.returncode, 0, done.stderr)

        def with_pictures():
            device, = json.loads(self.oriel("devices", "--json").stdout)["devices"]
            return device["cameras"][0] if device["cameras"][0]["mainStream"] else None

        return wait_until(with_pictures, what="the camera's pictures")

    def rtsp_server(self):
        server = subprocess.Popen(
            ["/usr/bin/python3", os.path.join(ROOT, "Tests/Media/Peers/rtsp_server.py"), "--user", "viewer",
             "--password", "opensesame"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        return f"rtsp://127.0.0.1:{int(server.stdout.readline())}/live"

    def test_a_terminal_is_shown_the_account_once_and_control_c_leaves_nothing(self):
        terminal = self.on_a_terminal()
        password = terminal.wait_for(r"Account admin, password (\S+)").group(1)
        terminal.wait_for(re.escape(f"http://127.0.0.1:{self.port}/"))
        serial = terminal.wait_for(r"The camera (\w{9}) is live").group(1)
        terminal.wait_for(rf"live {serial} --window")
        self.assertFalse(os.path.exists(os.path.join(self.platform, "first-account.txt")))
        self.assertEqual(self.camera(password)["mainStream"], "H264 1280x720 30/s")
        self.assertEqual(terminal.press_control_c(), 0, terminal.shown)
        self.assertEqual(terminal.members(), [])
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", self.port), 1)
        again = self.on_a_terminal()
        self.assertEqual(again.wait_for(r"The camera (\w{9}) is live").group(1), serial)
        self.assertEqual(again.press_control_c(), 0)
        self.assertNotIn("password", again.shown)

    def test_without_a_terminal_the_account_is_in_a_private_file(self):
        program = self.without_a_terminal()
        wait_until(lambda: "is live" in program.output(), what="the camera")
        path = re.search(r"its password is in (\S+)", program.output()).group(1)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        password = lines_of(path)[1]
        self.assertNotIn(password, program.output())
        self.camera(password)
        self.assertEqual(program.stop(signal.SIGINT), 0)

    def test_json_is_one_value(self):
        run = subprocess.Popen(
            [ORIEL, *self.arguments, "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env={**os.environ, **self.environment})
        self.addCleanup(run.kill)
        text = ""
        while not text.endswith("\n}\n"):
            text += run.stdout.readline() or self.fail(text)
        run.terminate()
        text += run.communicate(timeout=15)[0]
        answer = json.loads(text)
        self.assertEqual(run.returncode, 0)
        self.assertEqual(answer["addresses"], [f"http://127.0.0.1:{self.port}"])
        self.assertRegex(answer["serial"], r"^\w{9}$")
        self.assertEqual(os.stat(answer["passwordFile"]).st_mode & 0o777, 0o600)

    def test_the_source_and_its_credentials_come_from_the_environment(self):
        credentials = self.private_file("credentials", "viewer\nopensesame\n")
        program = self.without_a_terminal(SOURCE=self.rtsp_server(), SOURCE_CREDENTIALS=credentials)
        wait_until(lambda: "is live" in program.output(), what="the camera")
        camera = self.camera(lines_of(os.path.join(self.platform, "first-account.txt"))[1])
        self.assertEqual((camera["delivery"], camera["mainStream"]), ("passedOn", "H264 640x360 25/s"))
        self.assertNotIn("opensesame", program.output())

    def test_a_terminal_is_asked_for_user_and_password(self):
        terminal = self.on_a_terminal(SOURCE=self.rtsp_server())
        terminal.wait_for("User of the camera")
        terminal.type("viewer\n")
        terminal.wait_for("Password of viewer")
        time.sleep(0.2)  # until the terminal's echo is off
        terminal.type("opensesame\n")
        password = terminal.wait_for(r"Account admin, password (\S+)").group(1)
        terminal.wait_for("is live")
        self.assertEqual(self.camera(password)["delivery"], "passedOn")
        self.assertNotIn("opensesame", terminal.shown)
        self.assertEqual(terminal.press_control_c(), 0)

    def test_a_taken_port_is_told_and_nothing_runs_on(self):
        with socket.create_server(("127.0.0.1", self.port)):
            done = self.oriel(*self.arguments, "--json")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stderr.strip().splitlines()[-1])["code"], 730009)


class Demo(unittest.TestCase):
    def test_the_whole_job_is_done_once(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [ORIEL, "demo", "--folder", folder], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 0, done.stderr)
            steps = re.findall(r"^ *(\d+\.\d\d) s  (.+)$", done.stdout, re.MULTILINE)
            self.assertGreaterEqual(len(steps), 6, done.stdout)
            self.assertEqual([float(step) for step, _ in steps], sorted(float(step) for step, _ in steps))
            for name, codecs in (("live.mp4", {"h264", "opus"}), ("live.jpg", {"mjpeg"})):
                found = subprocess.run(
                    ["ffprobe", "-v", "error", "-show_streams", "-of", "json", os.path.join(folder, name)],
                    capture_output=True, text=True, check=True)
                self.assertEqual({stream["codec_name"] for stream in json.loads(found.stdout)["streams"]}, codecs)

    def test_a_folder_that_cannot_be_made_is_told(self):
        done = subprocess.run(
            [ORIEL, "demo", "--folder", "/proc/nowhere", "--json"], capture_output=True, text=True, timeout=30)
        self.assertEqual((done.returncode, json.loads(done.stderr)["code"]), (1, 720002))


if __name__ == "__main__":
    unittest.main()
