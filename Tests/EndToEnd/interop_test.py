"""Viewers that are not ours watch our camera: aiortc, Pion, GStreamer's webrtcbin. Chromium has tests of its own."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

from Support.programs import ROOT, House
from Support.signalling import Refused, ViewerLink


class Interop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.house.login()
        cls.camera, cls.serial = cls.house.add_camera()

    @classmethod
    def tearDownClass(cls):
        cls.house.close()

    def link(self):
        return ViewerLink(self.house.server, "admin", self.house.password)

    def test_aiortc_receives_pictures_and_sound(self):
        from aiortc import RTCPeerConnection, RTCSessionDescription

        async def watch():
            async with self.link() as link:
                peer = RTCPeerConnection()
                tracks = {}
                peer.on("track", lambda track: tracks.setdefault(track.kind, track))
                peer.addTransceiver("video", direction="recvonly")
                peer.addTransceiver("audio", direction="recvonly")
                channel = peer.createDataChannel("oriel")
                opened = asyncio.Event()
                channel.on("open", opened.set)
                await peer.setLocalDescription(await peer.createOffer())
                session, answer = await link.offer(self.serial, peer.localDescription.sdp)
                await peer.setRemoteDescription(RTCSessionDescription(answer, "answer"))
                await asyncio.wait_for(opened.wait(), 10)
                first = await asyncio.wait_for(tracks["video"].recv(), 10)
                self.assertEqual((first.width, first.height), (1280, 720))
                pictures = [await asyncio.wait_for(tracks["video"].recv(), 5) for _ in range(60)]
                self.assertGreater(pictures[-1].pts, pictures[0].pts)
                sound = await asyncio.wait_for(tracks["audio"].recv(), 5)
                self.assertEqual(sound.sample_rate, 48000)
                await link.end(session, self.serial)
                await peer.close()

        asyncio.run(watch())

    def run_peer(self, command):
        """Runs a peer that prints its offer as a JSON line, reads the answer as one, and then prints what it counted."""

        async def watch():
            async with self.link() as link:
                peer = await asyncio.create_subprocess_exec(
                    *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=1 << 20)
                try:
                    offer = json.loads(await asyncio.wait_for(peer.stdout.readline(), 20))
                    session, answer = await link.offer(self.serial, offer["sdp"])
                    peer.stdin.write((json.dumps({"type": "answer", "sdp": answer}) + "\n").encode())
                    await peer.stdin.drain()
                    counted = json.loads(await asyncio.wait_for(peer.stdout.readline(), 30))
                    await link.end(session, self.serial)
                    return counted
                finally:
                    if peer.returncode is None:
                        peer.kill()
                    await peer.wait()

        return asyncio.run(watch())

    def test_pion_receives_pictures_and_a_data_channel(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "pion-viewer")
            subprocess.run([os.path.join(ROOT, "Benchmarks/Peers/build"), "pion-viewer", program], check=True)
            counted = self.run_peer([program])
        self.assertGreater(counted["packets"], 200)
        self.assertGreater(counted["audio"], 50)
        self.assertTrue(counted["channel"])

    def test_webrtcbin_receives_pictures(self):
        counted = self.run_peer([sys.executable, os.path.join(ROOT, "Tests/EndToEnd/Peers/webrtcbin_viewer.py")])
        self.assertGreater(counted["frames"], 40)
        self.assertEqual(counted["width"], 1280)

    def test_a_megabyte_of_description_is_refused_and_the_camera_goes_on(self):
        async def refuse():
            async with self.link() as link:
                with self.assertRaises((Refused, asyncio.TimeoutError, ConnectionResetError)):
                    await link.offer(self.serial, "v=0\r\n" + "a=x\r\n" * 200_000, timeout=5)

        asyncio.run(refuse())
        self.test_aiortc_receives_pictures_and_sound()

    def test_malformed_descriptions_have_their_number(self):
        async def refuse():
            async with self.link() as link:
                for text in ["", "nonsense", "v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n", "v=0\r\n" + "a=x\r\n" * 10_000]:
                    with self.assertRaises(Refused) as refusal:
                        await link.offer(self.serial, text, timeout=5)
                    self.assertIn(refusal.exception.code, (740004, 740005), text[:40])
                for camera in (0, 2, 99):
                    with self.assertRaises(Refused) as refusal:
                        await link.offer(self.serial, "v=0\r\n", camera=camera, timeout=5)
                    self.assertIn(refusal.exception.code, (120001, 395415, 740004))
                with self.assertRaises(Refused) as refusal:
                    await link.offer("O00000000", "v=0\r\n", timeout=5)
                self.assertIn(refusal.exception.code, (120018, 120002))

        asyncio.run(refuse())
        self.assertTrue(self.camera.is_running())


if __name__ == "__main__":
    unittest.main()
