import { setTimeout as delay } from "node:timers/promises";
import { connectOf, publishOf, rawClient } from "../../support/raw-mqtt.ts";
import { type DeviceAccess, mqttCount } from "../../support/site.ts";
import type { Check, MqttWorld } from "./world.ts";

const DEVICES = 50;
/** Time between two log-ins of a device, ms; the broken one tries again as fast as that. */
const EVERY_MS = 2_000;
const BROKEN_EVERY_MS = 250;

/** One log-in, and one message where it is let in; yields the return code. */
async function logIn(port: number, device: DeviceAccess, password: string): Promise<number> {
  const client = rawClient(port);
  try {
    const { username, topic } = device;
    client.send(connectOf(username, { password: Buffer.from(password) }));
    const returnCode = (await client.hear("connack")).returnCode ?? -1;
    if (returnCode === 0) {
      client.send(publishOf(username, 1, { topic }));
      await client.hear("puback");
    }
    return returnCode;
  } finally {
    client.end();
  }
}

/** 50 devices behind 127.0.0.1 log in again and again; one of them has a wrong password for all the time. */
export async function checkSharedAddress(
  world: MqttWorld,
  minutes: number,
): Promise<readonly Check[]> {
  const devices: DeviceAccess[] = [];
  for (let i = 0; i < DEVICES; i += 1) devices.push(await world.device(`shared-${i}`));
  const [broken, ...others] = devices;
  if (broken === undefined) throw new Error("no device");
  const untilMs = performance.now() + minutes * 60_000;
  const codes = { wrong: new Map<number, number>(), right: new Map<number, number>() };
  const repeat = async (
    device: DeviceAccess,
    password: string,
    everyMs: number,
    counts: Map<number, number>,
  ): Promise<void> => {
    do {
      const code = await logIn(world.mqttPort, device, password);
      counts.set(code, (counts.get(code) ?? 0) + 1);
      await delay(everyMs);
    } while (performance.now() < untilMs);
  };
  await Promise.all([
    repeat(broken, "not-its-password", BROKEN_EVERY_MS, codes.wrong),
    ...others.map((device) => repeat(device, device.password, EVERY_MS, codes.right)),
  ]);
  const accepted = codes.right.get(0) ?? 0;
  const attempts = [...codes.right.values()].reduce((sum, count) => sum + count, 0);
  const lastOfBroken = await logIn(world.mqttPort, broken, broken.password);
  console.log(
    `${minutes} min: ${attempts} log-ins of ${others.length} devices, ${attempts - accepted} refused; ` +
      `wrong password: ${JSON.stringify(Object.fromEntries(codes.wrong))} (by return code)`,
  );
  return [
    ["every device with the right password was let in, each time", accepted === attempts],
    ["there were log-ins of each", attempts >= others.length],
    ["the wrong password was never let in", codes.wrong.get(0) === undefined],
    ["its user name was barred", (await mqttCount(world.api, "login_blocked")) > 0],
    ["the device is let in as soon as its password is right", lastOfBroken === 0],
  ];
}
