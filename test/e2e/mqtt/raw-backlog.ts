import mqttPacket from "mqtt-packet";
import { connectOf, rawClient } from "../../support/raw-mqtt.ts";
import type { DeviceAccess } from "../../support/site.ts";
import { until } from "../../support/until.ts";

const LIMIT_MS = 300_000;

/**
 * Publishes `count` messages of QoS 2 in one connection and releases none before it has the PUBREC of
 * all: the hardest backlog that the standard allows.
 */
export async function publishBacklog(
  port: number,
  { username, password, topic }: DeviceAccess,
  count: number,
): Promise<{ readonly completed: number; readonly connects: number; readonly seconds: number }> {
  const newestMs = Date.now();
  const ids = Array.from({ length: count }, (_, i) => i + 1);
  const publishes = ids.map((messageId) =>
    mqttPacket.generate({
      cmd: "publish",
      topic,
      payload: JSON.stringify({ timestamp: newestMs - messageId * 1_000, number: messageId - 1 }),
      qos: 2,
      dup: false,
      retain: false,
      messageId,
    }),
  );
  const client = rawClient(port);
  const heard = (cmd: "pubrec" | "pubcomp"): number =>
    client.heard.filter((packet) => packet.cmd === cmd).length;
  const waitFor = (cmd: "pubrec" | "pubcomp"): Promise<boolean> =>
    until(`${count} ${cmd}`, () => client.isClosed || heard(cmd) >= count, LIMIT_MS);
  const startMs = performance.now();
  client.send(connectOf(username, { password: Buffer.from(password) }));
  await client.hear("connack");
  client.sendBytes(Buffer.concat(publishes));
  await waitFor("pubrec");
  client.send(...ids.map((messageId) => ({ cmd: "pubrel" as const, messageId })));
  await waitFor("pubcomp");
  const seconds = Math.round((performance.now() - startMs) / 10) / 100;
  client.end();
  return { completed: heard("pubcomp"), connects: 1, seconds };
}
