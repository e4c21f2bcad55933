"""A sound server of a test's own, with loudspeakers and microphones that are none; and what is to be heard there."""

import array
import os
import subprocess
import tempfile
import time
import wave

from .programs import wait_until

RATE = 48_000


class SoundServer:
    """PulseAudio with null sinks. What is played into a sink `name` is what the microphone `name.monitor` hears."""

    def __init__(self, *sinks, modules=()):
        self.folder = tempfile.TemporaryDirectory(prefix="oriel-sound-")
        path = self.folder.name
        self.environment = {
            "PULSE_SERVER": f"unix:{path}/native.sock", "PULSE_COOKIE": f"{path}/cookie", "XDG_RUNTIME_DIR": path}
        loads = [f"module-native-protocol-unix auth-anonymous=1 socket={path}/native.sock"]
        loads += [f"module-null-sink sink_name={sink} rate={RATE} channels=1" for sink in sinks]
        loads += modules
        command = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error",
                   "--realtime=no", "--high-priority=no"]
        for load in loads:
            command += ["-L", load]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **self.environment, "HOME": path})
        wait_until(lambda: self.run("pactl", "info").returncode == 0, 10, "the sound server")

    def run(self, *command):
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **self.environment})

    def record(self, source, channels=1):
        return Recording(self, source, channels)

    def play(self, path, sink):
        """Returns when it has been played."""
        done = self.run("paplay", f"--device={sink}", "--latency-msec=20", path)
        if done.returncode:
            raise AssertionError(done.stderr)

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


class Recording:
    """What a source says from now on."""

    def __init__(self, server, source, channels):
        self.channels = channels
        self.path = os.path.join(server.folder.name, f"{source}-{time.monotonic_ns()}.raw")
        self.process = subprocess.Popen(
            ["parec", f"--device={source}", f"--rate={RATE}", f"--channels={channels}", "--format=s16le", "--latency-msec=20"],
            stdout=open(self.path, "wb"), env={**os.environ, **server.environment})
        wait_until(lambda: os.path.getsize(self.path) > 0, 10, "the recording")

    def stop(self):
        """The samples of each channel."""
        self.process.terminate()
        self.process.wait()
        return self.so_far()

    def so_far(self):
        with open(self.path, "rb") as file:
            data = file.read()
        samples = array.array("h", data[: len(data) // (2 * self.channels) * 2 * self.channels])
        return [samples[channel :: self.channels] for channel in range(self.channels)]


def write(path, samples, rate=RATE, channels=1):
    with wave.open(path, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(array.array("h", samples).tobytes())
    return path


def clicks(count, interval=0.5):
    """Short bursts of noise with silence between; samples."""
    burst = [int(12_000 * (1 if (n * 2654435761 >> 7) & 1 else -1)) for n in range(RATE // 200)]
    return (burst + [0] * (int(RATE * interval) - len(burst))) * count


def onsets(samples, threshold, rest=0.25):
    """Where it becomes loud after having been quiet for `rest` seconds; in samples."""
    found, quiet = [], int(RATE * rest)
    for place, value in enumerate(samples):
        if abs(value) < threshold:
            quiet += 1
            continue
        if quiet >= RATE * rest:
            found.append(place)
        quiet = 0
    return found


def loudness(samples):
    """Root mean square."""
    return (sum(value * value for value in samples) / max(len(samples), 1)) ** 0.5
