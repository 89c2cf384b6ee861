"""Publishes COUNT messages of QoS 2 that were queued before the connection was there, with paho-mqtt.

Arguments: HOST PORT USERNAME PASSWORD TOPIC COUNT LIMIT_S. Prints one line of JSON:
{"completed": messages, "connects": connections, "seconds": from connect to the last PUBCOMP}.
"""

import json
import sys
import time

import paho.mqtt.client as mqtt

host, port, username, password, topic, count, limit_s = sys.argv[1:]
count = int(count)
completed = 0
connects = 0

# paho-mqtt 2 asks for the version of its callbacks; 1.x has none.
versions = getattr(mqtt, "CallbackAPIVersion", None)
arguments = [] if versions is None else [versions.VERSION1]
client = mqtt.Client(*arguments, client_id="paho-backlog", clean_session=True)
if username:
    client.username_pw_set(username, password)
client.max_queued_messages_set(0)
client.max_inflight_messages_set(65535)


def on_connect(*_):
    global connects
    connects += 1


def on_publish(*_):
    global completed
    completed += 1


client.on_connect = on_connect
client.on_publish = on_publish
for number in range(count):
    payload = json.dumps({"timestamp": int(time.time() * 1000) - number * 1000, "number": number})
    client.publish(topic, payload, qos=2)

start = time.monotonic()
client.connect(host, int(port), keepalive=60)
client.loop_start()
while completed < count and time.monotonic() - start < float(limit_s):
    time.sleep(0.01)
seconds = time.monotonic() - start
client.loop_stop()
print(json.dumps({"completed": completed, "connects": connects, "seconds": round(seconds, 2)}))
