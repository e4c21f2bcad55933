"""Where `oriel platform` keeps the cloud, as the one who runs it says it."""

import os
import subprocess
import tempfile
import unittest

from Support.bucket import Bucket
from Support.programs import ORIEL, House


class CloudPlaces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.bucket = Bucket(cls.place.name).__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.bucket.__exit__()
        cls.place.cleanup()

    def refused(self, *options):
        """What a platform says that does not start."""
        with tempfile.TemporaryDirectory() as data:
            done = subprocess.run(
                [ORIEL, "platform", "--port", "0", "--data", data, *options], capture_output=True, text=True, timeout=30,
                stdin=subprocess.DEVNULL)
        self.assertNotEqual(done.returncode, 0)
        return done.stdout + done.stderr

    def credentials(self, text, mode=0o600):
        path = os.path.join(self.place.name, "other-credentials")
        if os.path.exists(path):
            os.unlink(path)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, mode), "w") as file:
            file.write(text)
        return path

    def test_a_platform_starts_on_a_bucket(self):
        house = House(self.bucket.options)
        try:
            self.assertIn("Console", house.platform.output())
            self.assertNotIn(Bucket.SECRET, house.platform.output())
            with open(f"/proc/{house.platform.process.pid}/cmdline") as file:
                self.assertNotIn(Bucket.SECRET, file.read())
        finally:
            house.close()

    def test_a_wrong_secret_is_refused_by_the_server_and_not_repeated(self):
        wrong = self.credentials(f"{Bucket.ACCESS}\nanother-secret\n")
        said = self.refused("--cloud", self.bucket.options[1], "--cloud-credentials", wrong)
        self.assertIn("720310", said)
        self.assertIn("SignatureDoesNotMatch", said)
        self.assertNotIn("another-secret", said)

    def test_credentials_that_others_may_read_are_refused(self):
        path = self.credentials(f"{Bucket.ACCESS}\n{Bucket.SECRET}\n", mode=0o644)
        said = self.refused("--cloud", self.bucket.options[1], "--cloud-credentials", path)
        self.assertIn("chmod 600", said)
        self.assertNotIn(Bucket.SECRET, said)

    def test_mistakes_are_told(self):
        self.assertIn("--cloud-credentials", self.refused("--cloud", "s3://bucket@s3.example"))
        path = self.credentials(f"{Bucket.ACCESS}\n{Bucket.SECRET}\n")
        for place in ["s3://key:topsecret@s3.example", "https://s3.example/bucket", "s3+http://bucket@s3.example"]:
            said = self.refused("--cloud", place, "--cloud-credentials", path)
            self.assertIn("400002", said)
            self.assertNotIn("topsecret", said)
        missing = self.refused(
            "--cloud", f"s3+http://no-such-bucket@127.0.0.1:{self.bucket.port}", "--cloud-credentials", path)
        self.assertIn("NoSuchBucket", missing)

    def test_a_server_that_is_away_does_not_keep_the_platform_from_starting(self):
        path = self.credentials(f"{Bucket.ACCESS}\n{Bucket.SECRET}\n")
        house = House(["--cloud", "s3+http://bucket@127.0.0.1:9", "--cloud-credentials", path])
        try:
            self.assertIn("uploads will wait", house.platform.output())
        finally:
            house.close()


if __name__ == "__main__":
    unittest.main()
