import { connect, type Socket } from "node:net";
import mqtt from "mqtt-packet";
import { until } from "../../support/until.ts";
import type { EventReceiver } from "./event-parties.ts";
import { keyOf, type SeenEvent } from "./outbox.ts";
import { ADMIN_KEY, PROJECT } from "./plumbline-target.ts";

const RETRY_MS = 25;
const BEGIN_MS = 60_000;

/** An MQTT reader with a kept session that subscribes once, and acknowledges each event when it has it. */
export function createMqttReceiver(port: number): EventReceiver {
  let socket: Socket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isSubscribed = false;

  function open(): void {
    const opened = connect(port, "127.0.0.1");
    socket = opened;
    const parser = mqtt.parser();
    opened.on("data", (bytes) => parser.parse(bytes));
    opened.on("error", () => undefined);
    opened.on("close", () => {
      if (socket === opened) retry = setTimeout(open, RETRY_MS);
    });
    parser.on("packet", (packet) => {
      if (packet.cmd === "connack" && packet.returnCode === 0 && !packet.sessionPresent) {
        const subscriptions = [{ topic: `sites/${PROJECT}/events/#`, qos: 1 } as const];
        opened.write(mqtt.generate({ cmd: "subscribe", messageId: 1, subscriptions }));
      } else if (packet.cmd === "suback") {
        isSubscribed = true;
      } else if (packet.cmd === "publish") {
        receiver.onEvent(keyOf(JSON.parse(String(packet.payload)) as SeenEvent));
        opened.write(mqtt.generate({ cmd: "puback", messageId: packet.messageId ?? 0 }));
      }
    });
    opened.write(
      mqtt.generate({
        cmd: "connect",
        protocolId: "MQTT",
        protocolVersion: 4,
        clean: false,
        clientId: "crash-reader",
        username: "apikey",
        password: Buffer.from(ADMIN_KEY),
        keepalive: 60,
      }),
    );
  }

  const receiver: EventReceiver = {
    name: "MQTT",
    onEvent: () => undefined,
    wants: ({ project_id }) => project_id === PROJECT,
    async begin() {
      open();
      await until("SUBACK", () => isSubscribed, BEGIN_MS);
    },
    async close() {
      clearTimeout(retry);
      const last = socket;
      socket = undefined;
      last?.destroy();
    },
  };
  return receiver;
}
