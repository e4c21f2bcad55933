"""Runs the `oriel` program as a person would: a platform, cameras, a signed-in account."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
ORIEL = os.environ.get("ORIEL", os.path.join(ROOT, ".build", "release", "oriel"))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """A long-running `oriel` command whose output goes to a file."""

    def __init__(self, folder, name, arguments, environment=None):
        self.log_path = os.path.join(folder, name + ".log")
        self.log = open(self.log_path, "a")
        self.arguments = arguments
        self.environment = {**os.environ, **(environment or {})}
        self.process = subprocess.Popen(
            [ORIEL] + arguments, stdout=self.log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env=self.environment, start_new_session=True)

    def output(self):
        with open(self.log_path) as file:
            return file.read()

    def is_running(self):
        return self.process.poll() is None

    def stop(self, number=signal.SIGTERM, timeout=10):
        """Sends the signal and returns the exit code."""
        if self.is_running():
            os.killpg(self.process.pid, number)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
                raise AssertionError(f"{self.arguments[0]} did not end on a signal:\n{self.output()[-2000:]}")
        self.log.close()
        return self.process.returncode

    def kill(self):
        self.stop(signal.SIGKILL)


def wait_until(condition, seconds=15, what="the condition"):
    """Polls; an exception counts as not yet."""
    limit = time.monotonic() + seconds
    last = None
    while time.monotonic() < limit:
        try:
            value = condition()
            if value:
                return value
        except Exception as error:  # noqa: BLE001 - whatever it is, it is not ready
            last = error
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come within {seconds} s" + (f": {last}" if last else ""))


def lines_of(path):
    with open(path) as file:
        return file.read().split("\n")


class House:
    """A platform with an administrator signed in, and cameras added to the account."""

    def __init__(self, platform_arguments=()):
        self.folder = tempfile.mkdtemp(prefix="oriel-test-")
        self.port = free_port()
        self.server = f"http://127.0.0.1:{self.port}"
        self.environment = {
            "ORIEL_SERVER": self.server, "XDG_CONFIG_HOME": os.path.join(self.folder, "config"),
            "XDG_DATA_HOME": os.path.join(self.folder, "data")}
        self.programs = []
        self.platform_arguments = list(platform_arguments)
        self.platform = self.start_platform()
        path = os.path.join(self.folder, "platform", "first-account.txt")
        # It is written after the platform began to answer.
        self.password = wait_until(lambda: lines_of(path)[1], what="the first account")

    def start_platform(self):
        platform = self.start(
            "platform", ["platform", "--data", os.path.join(self.folder, "platform"), "--port", str(self.port)]
            + self.platform_arguments)
        wait_until(lambda: urllib.request.urlopen(self.server + "/readyz", timeout=1), what="the platform")
        return platform

    def start(self, name, arguments, environment=None):
        program = Program(self.folder, name, arguments, {**self.environment, **(environment or {})})
        self.programs.append(program)
        return program

    def run(self, *arguments, check=True, timeout=60, environment=None):
        """Runs a command to its end and returns it."""
        done = subprocess.run(
            [ORIEL, *arguments], capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL,
            env={**os.environ, **self.environment, **(environment or {})})
        if check and done.returncode != 0:
            raise AssertionError(f"oriel {' '.join(arguments)} ended with {done.returncode}: {done.stderr}{done.stdout}")
        return done

    def json(self, *arguments, **options):
        return json.loads(self.run(*arguments, "--json", **options).stdout)

    def login(self):
        path = os.path.join(self.folder, "password.txt")
        with open(path, "w") as file:
            file.write(self.password + "\n")
        os.chmod(path, 0o600)
        self.run("login", "--account", "admin", "--password-file", path)

    def access_token(self):
        """The token of `oriel login`."""
        with open(os.path.join(self.environment["XDG_CONFIG_HOME"], "oriel", "profile.json")) as file:
            return json.load(file)["accessToken"]

    def start_camera(self, name="camera", *arguments):
        """Starts an agent, waits for its label and returns (program, serial, file with the code)."""
        data = os.path.join(self.folder, name)
        camera = self.start(name, ["camera", "--data", data, "--server", self.server, "--name", name, *arguments])
        label = os.path.join(data, "label.json")
        wait_until(lambda: os.path.exists(label), what="the label")
        with open(label) as file:
            words = json.load(file)
        code = os.path.join(data, "code.txt")
        with open(code, "w") as file:
            file.write(words["verificationCode"] + "\n")
        os.chmod(code, 0o600)
        return camera, words["serial"], code

    def add_camera(self, name="camera", *arguments):
        """Starts an agent and adds it to the account; returns (program, serial)."""
        camera, serial, code = self.start_camera(name, *arguments)
        wait_until(
            lambda: self.run("devices", "probe", serial, check=False).returncode == 0, what="the camera at the platform")
        self.run("devices", "add", serial, "--code-file", code)
        return camera, serial

    def close(self):
        for program in reversed(self.programs):
            program.stop(signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)
