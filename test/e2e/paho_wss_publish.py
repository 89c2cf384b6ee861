"""Publishes one message of QoS 1 over MQTT in WebSocket and TLS, with paho-mqtt.

Arguments: PORT PATH CA CERTIFICATE KEY USERNAME TOPIC PAYLOAD; CERTIFICATE, KEY and USERNAME may be empty.
Ends with 0 when the broker has acknowledged the message, with 1 when it has not within 20 s or let nobody in.
"""

import sys
import threading

import paho.mqtt.client as mqtt

port, path, authority, certificate, key, username, topic, payload = sys.argv[1:]
ended = threading.Event()
outcome = ["nothing was heard"]


def end(text):
    outcome[0] = text
    ended.set()


def on_connect(client, _userdata, _flags, code):
    if code == 0:
        client.publish(topic, payload, qos=1)
    else:
        end(f"CONNACK {code}")


# paho-mqtt 2 asks for the version of its callbacks; 1.x has none.
versions = getattr(mqtt, "CallbackAPIVersion", None)
arguments = [] if versions is None else [versions.VERSION1]
client = mqtt.Client(*arguments, client_id="paho-wss", transport="websockets")
client.ws_set_options(path=path)
client.tls_set(ca_certs=authority, certfile=certificate or None, keyfile=key or None)
if username:
    client.username_pw_set(username)
client.on_connect = on_connect
client.on_publish = lambda *_: end("acknowledged")
client.on_disconnect = lambda *_: end("disconnected")
try:
    client.connect("localhost", int(port))
    client.loop_start()
    ended.wait(20)
    client.loop_stop()
except OSError as error:
    outcome[0] = str(error)
print(outcome[0])
sys.exit(0 if outcome[0] == "acknowledged" else 1)
