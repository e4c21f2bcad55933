#!/usr/bin/python3
"""OpenStack Swift with its S3 interface, which checks signatures (s3api and tempauth), on free ports of loopback.

usage: s3_server.py FOLDER [ACCESS-KEY SECRET]...

Prints one line of JSON with the port when it answers, and ends with its four servers and the folder when standard
input closes.
Each key is a user of one account, so that all see the same buckets.
"""

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
users = list(zip(sys.argv[2::2], sys.argv[3::2]))
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

# The access key of S3 is ACCOUNT:USER.
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
""" + "".join(
    f"user_{access.split(':')[0]}_{access.split(':')[1]} = {secret} .admin\n"
    for access, secret in users) + """[filter:copy]
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
    try:
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
print(json.dumps({"port": ports["proxy"]}), flush=True)
sys.stdin.read()
end()
