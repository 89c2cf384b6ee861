/**
 * Clients that a broker meets, against the real program: backlogs of QoS 2, a wrong password behind a
 * shared address, broken packets. Exit code 1 when an expectation fails.
 *
 *   npm run test:mqtt -- --only qos2,logins,packets    these parts (all)
 *     --backlog 15000      messages of QoS 2 that wait for the connection
 *     --minutes 1          how long one of 50 devices behind one address uses a wrong password
 *     --count 100000       broken packets
 *     --seed 1             of the broken packets
 */
import { parseArgs } from "node:util";
import { INSPECTED } from "../../support/inspected-heap.ts";
import { checkPackets } from "./packets.ts";
import { checkBacklogs } from "./qos2-backlog.ts";
import { checkSharedAddress } from "./shared-address.ts";
import { type Check, type MqttWorld, openWorld } from "./world.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "qos2,logins,packets" },
    backlog: { type: "string", default: "15000" },
    minutes: { type: "string", default: "1" },
    count: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
  },
});

const number = (name: "backlog" | "minutes" | "count" | "seed"): number => {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= 0) return value;
  console.error(`--${name} "${values[name]}" is not a number from 0`);
  process.exit(2);
};
interface Part {
  readonly environment?: Readonly<Record<string, string>>;
  check(world: MqttWorld): Promise<readonly Check[]>;
}
const PARTS: Readonly<Record<string, Part>> = {
  qos2: { check: (world) => checkBacklogs(world, number("backlog")) },
  logins: { check: (world) => checkSharedAddress(world, number("minutes")) },
  packets: {
    // Four assets send what a fleet sends in a day.
    environment: { DEVICE_READINGS_PER_S: "1000000", ...INSPECTED },
    check: (world) => checkPackets(world, number("count"), number("seed")),
  },
};
const only = values.only.split(",");
const unknown = only.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) {
  console.error(`there is no part ${unknown.join(", ")}`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
for (const name of only) {
  console.log(`\n${name}`);
  const world = await openWorld(PARTS[name]?.environment);
  try {
    for (const [what, isSo] of (await PARTS[name]?.check(world)) ?? []) {
      if (isSo) passed += 1;
      else failed += 1;
      console.log(`${isSo ? "ok  " : "FAIL"} ${what}`);
    }
  } finally {
    await world.close();
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
