"""A platform on the network: TLS with a pinned key, and with a certificate that the guide makes."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from Support.programs import ROOT, House, free_port, wait_until
from Support.watching import Watching


class Network(unittest.TestCase):
    def house(self, *arguments):
        port = free_port()
        house = House(["--listen", "127.0.0.1", "--tls-port", str(port), *arguments])
        self.addCleanup(house.close)
        return house, port

    def test_agent_command_line_and_view_pin_the_key_that_the_platform_prints(self):
        house, port = self.house()
        address = wait_until(
            lambda: re.search(r"'(https://127\.0\.0\.1:\d+#sha256//[\w+/=]+)'", house.platform.output()),
            what="the address with its key").group(1)
        self.assertIn(f":{port}#", address)
        house.server = house.environment["ORIEL_SERVER"] = address
        house.login()
        _, serial = house.add_camera()
        watching = Watching(house, serial, "--seconds", "2")
        self.addCleanup(watching.stop)
        code, last = watching.end(30)
        self.assertEqual((code, last["event"]), (0, "ended"), last)

        with open(os.path.join(house.environment["XDG_CONFIG_HOME"], "oriel", "profile.json")) as file:
            token = json.load(file)["accessToken"]
        another = re.sub(r"//.", lambda pin: "//B" if pin.group() == "//A" else "//A", address.split("#")[1])
        for server in (f"{address.split('#')[0]}#{another}", address.split("#")[0]):
            done = house.run(
                "devices", "--server", server, "--json", check=False, environment={"ORIEL_ACCESS_TOKEN": token})
            self.assertEqual((done.returncode, json.loads(done.stderr)["code"]), (1, 730002), server)

    def test_the_certificate_of_the_guide_is_trusted_by_whoever_has_the_authority(self):
        with open(os.path.join(ROOT, "docs/guide/network.md")) as file:
            block = next(
                part for part in re.findall(r"(?:^    .*\n)+", file.read(), re.MULTILINE) if "openssl x509" in part)
        commands, start = block.split("    oriel platform")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        subprocess.run(["bash", "-e"], input=commands, text=True, cwd=folder, check=True, capture_output=True)
        certificate, key = re.search(r"--certificate (\S+) --key (\S+)", start).groups()
        _, port = self.house(
            "--certificate", os.path.join(folder, certificate), "--key", os.path.join(folder, key))
        name = re.search(r"DNS:([\w.]+)", commands).group(1)
        done = subprocess.run(
            ["curl", "-sS", "--fail", "--cacert", os.path.join(folder, "authority.pem"), "--resolve",
             f"{name}:{port}:127.0.0.1", f"https://{name}:{port}/livez"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
