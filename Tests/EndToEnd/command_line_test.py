"""The command line as people meet it first: help, mistakes, exit codes."""

import json
import os
import pty
import signal
import socket
import subprocess
import tempfile
import termios
import time
import unittest

from Support.programs import ORIEL, ROOT, House, free_port, wait_until

COMMANDS = ["run", "demo", "platform", "camera", "login", "devices", "live"]


def oriel(*arguments, **environment):
    with tempfile.TemporaryDirectory() as home:
        return subprocess.run(
            [ORIEL, *arguments], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL,
            env={**os.environ, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, **environment})


class WithoutAPlatform(unittest.TestCase):
    def test_help_lists_every_command_and_each_explains_itself(self):
        overview = oriel("--help")
        self.assertEqual(overview.returncode, 0)
        for command in COMMANDS:
            self.assertIn(command, overview.stdout)
            explained = oriel(command, "--help")
            self.assertEqual(explained.returncode, 0, command)
            self.assertIn("usage: oriel " + command, explained.stdout)
            self.assertIn("oriel " + command, explained.stdout.split("usage:")[1].split("\n", 1)[1], "an example")

    def test_the_reference_page_is_the_help(self):
        """ORIEL_WRITE_DOCS=1 renews docs/reference/command-line.md."""
        pages = ["# Command line\n\nWhat `oriel COMMAND --help` says.\n"]
        for command in COMMANDS:
            pages.append(f"## oriel {command}\n\n```\n{oriel(command, '--help').stdout.strip()}\n```\n")
        page, path = "\n".join(pages), os.path.join(ROOT, "docs", "reference", "command-line.md")
        if os.environ.get("ORIEL_WRITE_DOCS"):
            with open(path, "w") as file:
                file.write(page)
        with open(path) as file:
            self.assertEqual(file.read(), page)

    def test_mistakes_end_with_2_and_a_sentence(self):
        for arguments in [["nonsense"], ["live"], ["live", "O12345678", "--nonsense"], ["live", "O12345678", "--seconds"],
                          ["live", "O12345678", "--seconds", "x"], ["devices", "add"], ["platform", "extra"],
                          ["live", "O12345678", "--quality", "best"]]:
            done = oriel(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr.strip(), arguments)
            self.assertEqual(done.stdout, "", arguments)

    def test_output_that_reaches_nobody_is_no_crash(self):
        with tempfile.TemporaryDirectory() as home:
            environment = {
                **os.environ, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "ORIEL_ACCESS_TOKEN": "at.none",
                "ORIEL_SERVER": f"http://127.0.0.1:{free_port()}"}
            reader, gone = os.pipe()
            os.close(reader)
            for target in [os.open("/dev/full", os.O_WRONLY), gone]:
                for arguments in [["--help"], ["nonsense"], ["devices"]]:
                    done = subprocess.run(
                        [ORIEL, *arguments], stdout=target, stderr=target, stdin=subprocess.DEVNULL, timeout=30,
                        env=environment)
                    self.assertIn(done.returncode, [0, 1, 2], arguments)
                os.close(target)

    def test_ctrl_c_at_a_password_gives_the_terminal_back(self):
        terminal, program = pty.openpty()
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.Popen(
                [ORIEL, "login"], stdin=program, stdout=program, stderr=program, start_new_session=True,
                env={**os.environ, "XDG_CONFIG_HOME": home, "ORIEL_SERVER": "http://127.0.0.1:1"})
            wait_until(lambda: not termios.tcgetattr(program)[3] & termios.ECHO, what="the prompt")
            os.write(terminal, b"half a passw\x03")
            self.assertEqual(done.wait(10), 130)
        self.assertTrue(termios.tcgetattr(program)[3] & termios.ECHO)
        self.assertTrue(termios.tcgetattr(program)[3] & termios.ISIG)
        os.close(terminal)
        os.close(program)

    def test_a_damaged_profile_can_be_forgotten(self):
        with tempfile.TemporaryDirectory() as home:
            os.mkdir(os.path.join(home, "oriel"))
            with open(os.path.join(home, "oriel", "profile.json"), "w") as file:
                file.write("{")

            def run(*arguments):
                return subprocess.run(
                    [ORIEL, *arguments], capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL,
                    env={**os.environ, "XDG_CONFIG_HOME": home, "ORIEL_SERVER": ""})

            self.assertIn("730010", run("devices").stderr)
            self.assertEqual(run("login", "--forget").returncode, 0)
            self.assertIn("730004", run("devices").stderr)

    def test_ctrl_c_before_the_first_picture_is_no_success(self):
        with socket.create_server(("127.0.0.1", 0)) as deaf:
            live = subprocess.Popen(
                [ORIEL, "live", "O12345678"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL, env={
                    **os.environ, "ORIEL_ACCESS_TOKEN": "at.none",
                    "ORIEL_SERVER": f"http://127.0.0.1:{deaf.getsockname()[1]}"})
            live.stdout.readline()
            time.sleep(0.2)
            live.send_signal(signal.SIGINT)
            self.assertEqual(live.wait(10), 130)
            live.stdout.close()

    def test_ctrl_c_ends_the_demo_and_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as home:
            demo = subprocess.Popen(
                [ORIEL, "demo", "--folder", os.path.join(home, "out")], stdout=subprocess.PIPE, text=True,
                stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": home})
            self.assertIn("platform", demo.stdout.readline())
            demo.send_signal(signal.SIGINT)
            self.assertEqual(demo.wait(15), 130)
            demo.stdout.close()
            self.assertEqual(os.listdir(home), ["out"])

    def test_no_platform_is_a_sentence_with_its_number(self):
        server = f"http://127.0.0.1:{free_port()}"
        done = oriel("devices", "--json", ORIEL_SERVER=server, ORIEL_ACCESS_TOKEN="at.none")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stderr)["code"], 730001)

    def test_nobody_signed_in_says_how_to(self):
        done = oriel("devices", ORIEL_SERVER=f"http://127.0.0.1:{free_port()}")
        self.assertEqual(done.returncode, 1)
        self.assertIn("oriel login", done.stderr)

    def test_a_malformed_serial_is_told_before_the_network_is_touched(self):
        done = oriel("live", "nonsense", "--json", ORIEL_ACCESS_TOKEN="at.none")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stderr)["code"], 120014)

    def test_plain_http_elsewhere_is_refused(self):
        done = oriel("devices", "--json", ORIEL_SERVER="http://192.0.2.1:7080", ORIEL_ACCESS_TOKEN="at.none")
        self.assertEqual(json.loads(done.stderr)["code"], 400002)


class WithAPlatform(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.house.login()

    @classmethod
    def tearDownClass(cls):
        cls.house.close()

    def test_an_empty_account_says_what_to_do(self):
        self.assertIn("oriel devices add", self.house.run("devices").stdout)
        self.assertEqual(self.house.json("devices"), {"devices": []})

    def test_unknown_serials_have_their_number(self):
        for command in [["devices", "probe", "O00000000"], ["devices", "info", "O00000000"], ["live", "O00000000"],
                        ["devices", "remove", "O00000000"]]:
            done = self.house.run(*command, "--json", check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(json.loads(done.stderr)["code"], (120002, 120018), command)

    def test_a_wrong_password_is_told_and_nothing_is_saved(self):
        with tempfile.TemporaryDirectory() as home:
            path = os.path.join(home, "password")
            with open(path, "w") as file:
                file.write("wrong\n")
            os.chmod(path, 0o600)
            done = self.house.run("login", "--account", "admin", "--password-file", path, "--json", check=False,
                                  environment={"XDG_CONFIG_HOME": home})
            self.assertEqual(json.loads(done.stderr)["code"], 110019)
            self.assertFalse(os.path.exists(os.path.join(home, "oriel", "profile.json")))

    def test_whoever_signs_out_is_told_so_and_forgotten(self):
        with tempfile.TemporaryDirectory() as home:
            elsewhere = {"XDG_CONFIG_HOME": home}
            password = os.path.join(self.house.folder, "password.txt")
            self.assertEqual(self.house.json("login", "--password-file", password, environment=elsewhere)["account"], "admin")
            self.assertEqual(self.house.json("login", "--forget", environment=elsewhere), {"signedOut": self.house.server})
            self.assertFalse(os.path.exists(os.path.join(home, "oriel", "profile.json")))
            done = self.house.run("devices", "--json", check=False, environment=elsewhere)
            self.assertEqual(json.loads(done.stderr)["code"], 730004)
            self.assertEqual(self.house.json("login", "--forget", environment=elsewhere), {})

    def test_a_device_that_is_removed_is_named(self):
        camera, serial = self.house.add_camera("removed")
        self.addCleanup(camera.stop)
        self.assertEqual(self.house.json("devices", "remove", serial), {"removed": serial})
        self.assertEqual(self.house.json("devices"), {"devices": []})

    def test_the_profile_is_only_for_its_owner(self):
        path = os.path.join(self.house.environment["XDG_CONFIG_HOME"], "oriel", "profile.json")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)

    def test_the_password_is_in_a_private_file_and_in_no_output(self):
        folder = os.path.join(self.house.folder, "platform")
        self.assertEqual(os.stat(os.path.join(folder, "first-account.txt")).st_mode & 0o777, 0o600)
        self.assertNotIn(self.house.password, self.house.platform.output())


if __name__ == "__main__":
    unittest.main()
