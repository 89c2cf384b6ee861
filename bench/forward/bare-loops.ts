import { Agent, request } from "node:http";
import mqtt from "mqtt";

const HTTP_AT_ONCE = 32;
const MQTT_AT_ONCE = 256;

/** Posts every body, so many at a time, on connections that are kept. */
export async function bareHttp(url: string, bodies: readonly string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  await inLoops(HTTP_AT_ONCE, bodies, (body) => post(agent, url, body));
  agent.destroy();
}

function post(agent: Agent, url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const outgoing = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.once("end", resolve);
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

/** Publishes every body with QoS 1, so many without PUBACK at a time. */
export async function bareMqtt(url: string, bodies: readonly string[]): Promise<void> {
  const client = await mqtt.connectAsync(url);
  await inLoops(MQTT_AT_ONCE, bodies, (body) =>
    client.publishAsync("sites/p1/assets/a1/telemetry", body, { qos: 1 }),
  );
  await client.endAsync();
}

async function inLoops(
  loops: number,
  bodies: readonly string[],
  send: (body: string) => Promise<unknown>,
): Promise<void> {
  const left = bodies.values();
  async function loop(): Promise<void> {
    for (const body of left) await send(body);
  }
  await Promise.all(Array.from({ length: loops }, loop));
}
