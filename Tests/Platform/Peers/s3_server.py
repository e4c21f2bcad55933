#!/usr/bin/python3
"""OpenStack Swift with its S3 interface, which checks signatures (s3api and tempauth), on free ports of loopback.

usage: s3_server.py FOLDER ACCESS-KEY SECRET [BUCKET]

Prints one line of JSON with the port when it answers, and ends with its four servers and the folder when standard
input closes.
The access key is ACCOUNT:USER. With a name it makes that bucket.
"""

import hashlib
import hmac
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

folder = os.path.abspath(sys.argv[1])
access, secret = sys.argv[2:4]
account, user = access.split(":")
os.makedirs(folder + "/disk/d1", exist_ok=True)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


ports = {name: free_port() for name in ("account", "container", "object", "proxy")}


def ring(name):
    builder = f"{folder}/{name}.builder"
    for words in (
        ["create", "2", "1", "1"],
        ["add", f"r1z1-127.0.0.1:{ports[name]}/d1", "1"],
        ["rebalance"],
    ):
        subprocess.run(
            ["swift-ring-builder", builder, *words], check=True, stdout=subprocess.DEVNULL)


common = f"""[DEFAULT]
bind_ip = 127.0.0.1
swift_dir = {folder}
devices = {folder}/disk
mount_check = false
workers = 0
user = {os.environ.get("USER") or "root"}
log_level = ERROR
"""


def write(name, text):
    with open(f"{folder}/{name}.conf", "w") as file:
        file.write(common + text)


for name in ("account", "container", "object"):
    ring(name)
    write(name, f"""bind_port = {ports[name]}
[pipeline:main]
pipeline = {name}-server
[app:{name}-server]
use = egg:swift#{name}
""")

write("proxy", f"""bind_port = {ports["proxy"]}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
error_suppression_limit = 0
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
dns_compliant_bucket_names = true
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
""")

# Debian gives the hash's salt in /etc/swift/swift.conf.
log = open(f"{folder}/log", "wb")
servers = [
    subprocess.Popen(
        [f"swift-{name}-server", f"{folder}/{name}.conf"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    for name in ports]


def end(*_):
    for server in servers:
        server.terminate()
    for server in servers:
        try:
            server.wait(5)
        except subprocess.TimeoutExpired:
            server.kill()
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0)


signal.signal(signal.SIGTERM, end)


def answers():
    """Whether all four do: the proxy is the first and says that nothing is there while it is alone."""
    try:
        for port in ports.values():
            socket.create_connection(("127.0.0.1", port), timeout=2).close()
        connection = http.client.HTTPConnection("127.0.0.1", ports["proxy"], timeout=2)
        connection.request("GET", "/")
        return connection.getresponse().status < 500
    except OSError:
        return False


deadline = time.time() + 30
while not answers():
    if time.time() > deadline or any(server.poll() is not None for server in servers):
        print("the server does not start", file=sys.stderr)
        sys.stderr.write(open(f"{folder}/log").read()[-2000:])
        end()
    time.sleep(0.1)


def sign(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def make_bucket(name):
    """Signs as AWS Signature Version 4 says."""
    host, stamp = f"127.0.0.1:{ports['proxy']}", time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    empty, day = hashlib.sha256(b"").hexdigest(), stamp[:8]
    names = "host;x-amz-content-sha256;x-amz-date"
    canonical = f"PUT\n/{name}\n\nhost:{host}\nx-amz-content-sha256:{empty}\nx-amz-date:{stamp}\n\n{names}\n{empty}"
    scope = f"{day}/us-east-1/s3/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = ("AWS4" + secret).encode()
    for part in (day, "us-east-1", "s3", "aws4_request"):
        key = sign(key, part)
    connection = http.client.HTTPConnection("127.0.0.1", ports["proxy"], timeout=10)
    connection.request("PUT", f"/{name}", headers={
        "x-amz-content-sha256": empty, "x-amz-date": stamp,
        "Authorization": f"AWS4-HMAC-SHA256 Credential={access}/{scope},SignedHeaders={names},"
        f"Signature={sign(key, text).hex()}"})
    status = connection.getresponse().status
    if status != 200:
        print(f"the bucket is not made: {status}", file=sys.stderr)
        end()


if len(sys.argv) > 4:
    make_bucket(sys.argv[4])
print(json.dumps({"port": ports["proxy"]}), flush=True)
sys.stdin.read()
end()
