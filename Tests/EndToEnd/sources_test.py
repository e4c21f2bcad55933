"""Cameras that are not ours, good and bad, behind our agent: GStreamer's RTSP server and VLC."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import unittest

from Support.programs import ROOT, House, free_port, wait_until
from Support.watching import Watching


class Sources(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.addClassCleanup(cls.house.close)
        cls.house.login()

    def rtsp_server(self, *arguments):
        """Starts the RTSP server and returns its port; it ends with the test."""
        server = subprocess.Popen(
            ["/usr/bin/python3", os.path.join(ROOT, "Tests/Media/Peers/rtsp_server.py"), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        return int(server.stdout.readline())

    def agent(self, address, *arguments):
        """Starts an agent for a source and returns its serial, once it is in the account."""
        agent, serial = self.house.add_camera(self.id().split(".")[-1], "--source", address, *arguments)
        self.addCleanup(agent.stop)
        return serial

    def camera(self, serial):
        return self.house.json("devices", "info", serial)["cameras"][0]

    def watch(self, serial, seconds=3):
        watching = Watching(self.house, serial, "--seconds", str(seconds))
        self.addCleanup(watching.stop)
        code, last = watching.end(60)
        self.assertEqual((code, last["event"]), (0, "ended"), last)
        return last

    def credentials(self, user, password):
        path = os.path.join(self.house.folder, f"credentials-{user}-{password}")
        with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(f"{user}\n{password}\n")
        return path

    def test_h264_that_browsers_show_is_passed_on(self):
        port = self.rtsp_server("--audio", "pcmu")
        serial = self.agent(f"rtsp://127.0.0.1:{port}/live")
        ended = self.watch(serial)
        self.assertGreater(ended["framesPerSecond"], 5)
        self.assertEqual(self.camera(serial)["delivery"], "passedOn")

    def test_b_pictures_are_encoded_anew_and_the_record_says_why(self):
        port = self.rtsp_server("--codec", "bframes")
        serial = self.agent(f"rtsp://127.0.0.1:{port}/live")
        self.assertGreater(self.watch(serial)["framesPerSecond"], 5)
        camera = self.camera(serial)
        self.assertEqual(camera["delivery"], "encoded")
        self.assertTrue(camera["note"])

    def test_h265_is_encoded_for_viewers_without_it_or_passed_on(self):
        port = self.rtsp_server("--codec", "h265")
        serial = self.agent(f"rtsp://127.0.0.1:{port}/live")
        self.assertGreater(self.watch(serial)["framesPerSecond"], 5)

    def test_user_and_password_by_digest(self):
        port = self.rtsp_server("--user", "viewer", "--password", "opensesame")
        serial = self.agent(f"rtsp://127.0.0.1:{port}/live", "--credentials", self.credentials("viewer", "opensesame"))
        self.assertGreater(self.watch(serial)["framesPerSecond"], 5)
        for program in self.house.programs:
            self.assertNotIn("opensesame", program.output())

    def test_sound_that_is_announced_and_never_comes_does_not_hold_up_the_picture(self):
        port = self.rtsp_server("--audio", "silent")
        self.assertGreater(self.watch(self.agent(f"rtsp://127.0.0.1:{port}/live"))["framesPerSecond"], 5)

    def test_a_change_of_size_on_the_way_is_shown(self):
        port = self.rtsp_server("--resize", "8")
        serial = self.agent(f"rtsp://127.0.0.1:{port}/live")
        watching = Watching(self.house, serial, "--seconds", "12")
        self.addCleanup(watching.stop)
        code, last = watching.end(60)
        self.assertEqual((code, last["event"]), (0, "ended"), last)
        sizes = {(event["width"], event["height"]) for _, event in watching.events if event["event"] == "sizeChanged"}
        self.assertGreaterEqual(len(sizes), 2, sizes)

    def test_vlc_as_the_camera(self):
        port = free_port()
        folder = tempfile.mkdtemp()  # VLC will not run as root, and nobody else may look into the house's folder
        self.addCleanup(shutil.rmtree, folder)
        os.chmod(folder, 0o755)
        film = os.path.join(folder, "film.mp4")
        subprocess.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=640x360:rate=25:duration=30", "-c:v", "libx264",
             "-profile:v", "baseline", "-g", "25", "-pix_fmt", "yuv420p", film], check=True)
        vlc = subprocess.Popen(
            ["cvlc", "--no-audio", "--loop", film, "--sout", f"#rtp{{sdp=rtsp://127.0.0.1:{port}/film}}", "--sout-keep"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=(lambda: os.setuid(65534)) if os.getuid() == 0 else None, env={**os.environ, "HOME": "/tmp"})
        self.addCleanup(vlc.wait)
        self.addCleanup(vlc.kill)
        wait_until(lambda: socket.create_connection(("127.0.0.1", port), 1), what="VLC")
        self.assertGreater(self.watch(self.agent(f"rtsp://127.0.0.1:{port}/film"))["framesPerSecond"], 5)

    def test_what_is_wrong_with_a_source_is_said_in_its_record(self):
        wrong = self.credentials("viewer", "wrong")
        guarded = self.rtsp_server("--user", "viewer", "--password", "right")
        open_port = self.rtsp_server()
        rubbish = self.rubbish_server()
        for address, arguments, words in [
                (f"rtsp://127.0.0.1:{free_port()}/x", [], "reached"),
                (f"rtsp://127.0.0.1:{guarded}/live", ["--credentials", wrong], "refuse"),
                (f"rtsp://127.0.0.1:{open_port}/nothing", [], "stream"),
                (f"rtsp://127.0.0.1:{rubbish}/x", [], "")]:
            with self.subTest(address):
                agent, serial = self.house.add_camera(f"bad-{address.split(':')[2].replace('/', '-')}", "--source", address, *arguments)
                try:
                    note = wait_until(lambda: self.camera(serial).get("note"), 20, "a note about the source")
                    self.assertIn(words, note)
                    self.assertNotIn("wrong", note)
                    done = self.house.run("live", serial, "--seconds", "1", "--json", check=False, timeout=60)
                    self.assertEqual(done.returncode, 1)
                finally:
                    self.assertEqual(agent.stop(), 0)

    def rubbish_server(self):
        """Answers everything with random bytes."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def serve():
            while True:
                try:
                    peer, _ = listener.accept()
                    peer.recv(2000)
                    peer.sendall(os.urandom(5000))
                    peer.close()
                except OSError:
                    return

        threading.Thread(target=serve, daemon=True).start()
        return listener.getsockname()[1]

    def test_addresses_that_are_none_are_refused_at_once(self):
        for address in ["rtsp://user:secret@127.0.0.1/x", "http://127.0.0.1/x", "rtsp://", "nonsense://x"]:
            done = self.house.run("camera", "--data", os.path.join(self.house.folder, "refused"), "--source", address,
                                  check=False, timeout=20)
            self.assertEqual(done.returncode, 1, address)
            self.assertIn("710007", done.stderr)
            self.assertNotIn("secret", done.stderr + done.stdout)


if __name__ == "__main__":
    unittest.main()
