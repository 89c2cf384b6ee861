import { connect, type Socket } from "node:net";
import { generate } from "mqtt-packet";
import { readingJson } from "../ingest/publish.ts";

/** Devices of the bench, spread over its projects. */
export const DEVICES = 200;

/** Messages in flight of one device. */
const WINDOW = 10;

export const projectId = (index: number, projects: number): string => `bench-${index % projects}`;
export const assetId = (index: number): string => `b${index}`;

/** Publishes `count` messages of each device at QoS 1 and resolves when the broker has them all. */
export async function publishAll(port: number, projects: number, count: number): Promise<void> {
  const indexes = Array.from({ length: DEVICES }, (_, index) => index);
  await Promise.all(indexes.map((index) => publishOne(port, index, projects, count)));
}

async function publishOne(
  port: number,
  index: number,
  projects: number,
  count: number,
): Promise<void> {
  const socket = await logIn(port, index);
  const topic = `sites/${projectId(index, projects)}/assets/${assetId(index)}/telemetry`;
  let sent = 0;
  let answered = 0;
  let carry = 0;
  const send = (wanted: number): void => {
    const packets: Buffer[] = [];
    for (let k = 0; k < wanted && sent < count; k += 1) {
      sent += 1;
      packets.push(
        generate({
          cmd: "publish",
          topic,
          payload: readingJson(sent),
          qos: 1,
          messageId: (sent % 65_535) + 1,
          dup: false,
          retain: false,
        }),
      );
    }
    if (packets.length > 0) socket.write(Buffer.concat(packets));
  };
  await new Promise<void>((resolve, reject) => {
    socket.once("close", () => reject(new Error("closed by the broker")));
    socket.on("data", (data) => {
      const bytes = carry + data.length;
      carry = bytes & 3;
      answered += bytes >> 2;
      if (answered >= count) resolve();
      else send(bytes >> 2);
    });
    send(WINDOW);
  });
  socket.destroy();
}

function logIn(port: number, index: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () =>
      socket.write(
        generate({
          cmd: "connect",
          protocolId: "MQTT",
          protocolVersion: 4,
          clean: true,
          clientId: `bench-${index}`,
          keepalive: 0,
        }),
      ),
    );
    socket.once("data", () => resolve(socket));
  });
}
