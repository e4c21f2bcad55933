"""A bucket of a server that checks signatures: OpenStack Swift with s3api, as the platform's tests start it."""

import json
import os
import subprocess

from .programs import ROOT


class Bucket:
    """`options` are what `oriel platform` takes to keep its cloud there."""

    ACCESS, SECRET, NAME = "test:tester", "s3cret-of-the-tests", "recordings"

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        self.server = subprocess.Popen(
            ["/usr/bin/python3", os.path.join(ROOT, "Tests/Platform/Peers/s3_server.py"), os.path.join(self.folder, "s3"),
             self.ACCESS, self.SECRET, self.NAME],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.server.stdout.readline())["port"]
        credentials = os.path.join(self.folder, "credentials")
        with open(os.open(credentials, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(f"{self.ACCESS}\n{self.SECRET}\n")
        self.options = ["--cloud", f"s3+http://{self.NAME}@127.0.0.1:{self.port}", "--cloud-credentials", credentials]
        return self

    def __exit__(self, *_):
        self.server.stdin.close()
        self.server.wait(20)
        self.server.stdout.close()
