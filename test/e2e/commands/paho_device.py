"""A device that takes commands with paho-mqtt, on our own topic or as ThingsBoard's RPC.

Arguments: PORT ASSET PASSWORD MODE LOG DIE_AT DIE_AFTER. MODE is own or thingsboard. LOG remembers what came
and what was answered, each line synced, so that a device that was killed goes on where it was. DIE_AT is never,
received (before anything is written down), logged (before PUBACK), acknowledged (before the answer) or answered
(before the PUBACK of the answer); the process kills itself there at the command number DIE_AFTER.
"""

import json
import os
import signal
import sys
import time

import paho.mqtt.client as mqtt

port, asset, password, mode, log_file, die_at, die_after = sys.argv[1:]
die_after = int(die_after)
received = 0
pending = []
answered = set()
replies = {}
mids = {}

log = open(log_file, "a+", encoding="utf-8")
log.seek(0)
for line in log:
    entry = json.loads(line)
    if "got" in entry:
        replies[entry["got"]] = entry["reply_to"]
    else:
        answered.add(entry["answered"])


def note(entry):
    log.write(json.dumps(entry) + "\n")
    log.flush()
    os.fsync(log.fileno())


def die(point):
    if die_at == point and received >= die_after:
        os.kill(os.getpid(), signal.SIGKILL)


def on_connect(client, *_):
    topic = "v1/devices/me/rpc/request/+" if mode == "thingsboard" else f"sites/+/assets/{asset}/commands"
    client.subscribe(topic, qos=1)
    # What was taken and not answered in the life before.
    for command, reply_to in replies.items():
        if command not in answered:
            pending.append((command, reply_to))


def on_message(_client, _userdata, message):
    global received
    received += 1
    die("received")
    body = json.loads(message.payload)
    if mode == "thingsboard":
        reply_to = message.topic.replace("/request/", "/response/")
    else:
        reply_to = f"{message.topic}/{body['id']}/reply"
    note({"got": body["id"], "attempt": body["attempt"], "reply_to": reply_to})
    replies[body["id"]] = reply_to
    die("logged")
    pending.append((body["id"], reply_to))


def on_publish(_client, _userdata, mid):
    command = mids.pop(mid, None)
    if command is not None:
        answered.add(command)
        note({"answered": command})


versions = getattr(mqtt, "CallbackAPIVersion", None)
client = mqtt.Client(*([] if versions is None else [versions.VERSION1]), client_id=asset, clean_session=True)
client.username_pw_set(asset, password)
client.on_connect = on_connect
client.on_message = on_message
client.on_publish = on_publish

connected = False
while True:
    if not connected:
        try:
            client.connect("127.0.0.1", int(port), keepalive=30)
            pending.clear()
            connected = True
        except OSError:
            time.sleep(0.1)
            continue
    if client.loop(0.05) != mqtt.MQTT_ERR_SUCCESS:
        connected = False
        continue
    while pending:
        command, reply_to = pending.pop(0)
        die("acknowledged")
        info = client.publish(reply_to, json.dumps({"status": "ok", "command": command}), qos=1)
        mids[info.mid] = command
        die("answered")
