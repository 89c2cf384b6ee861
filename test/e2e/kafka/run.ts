import { parseArgs } from "node:util";
import { INFLUXDB } from "../../support/influx-server.ts";
import { KAFKA } from "../../support/kafka/kafka-brokers.ts";
import { whyNoPostgres } from "../../support/postgres-server.ts";
import { earlyAcknowledgement } from "./early-acknowledgement.ts";
import { kills } from "./kills.ts";
import { rebalance } from "./rebalance.ts";

/**
 * `npm run test:kafka`: ingest processes on three real brokers of Kafka, a PostgreSQL and an InfluxDB of the
 * script's own, all of which are killed under machines that publish. `--rounds` of kills under `--machines` with `--rate`
 * messages a second, `--only kills,rebalance,control`.
 * Needs KAFKA_JARS (test/support/kafka), and root for PostgreSQL. Exit code 1 when anything does not hold.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "2" },
    machines: { type: "string", default: "200" },
    rate: { type: "string", default: "2000" },
    only: { type: "string" },
  },
});
const absent = [KAFKA.absent, INFLUXDB.absent, whyNoPostgres()].filter((one) => one !== undefined);
if (absent.length > 0) {
  console.log(`cannot run: ${absent.join("; ")}`);
  console.log("0 passed, 1 failed");
  process.exit(1);
}
const CHECKS = [kills, rebalance, earlyAcknowledgement];
const wanted = values.only?.split(",") ?? CHECKS.map(({ name }) => name);
const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) throw new Error(`no check ${unknown.join(", ")}`);

let [passed, failed] = [0, 0];
for (const check of CHECKS.filter(({ name }) => wanted.includes(name))) {
  console.log(`${check.name}: ${check.purpose}`);
  const found = await check
    .run({
      rounds: Number(values.rounds),
      machines: Number(values.machines),
      rate: Number(values.rate),
      print: (line) => console.log(line),
    })
    .catch((error: unknown) => {
      console.error(error);
      return [[`${check.name} came to its end: ${error}`, false] as const];
    });
  for (const [name, isSo] of found) {
    console.log(`${isSo ? "ok  " : "FAIL"} ${check.name}: ${name}`);
    if (isSo) passed += 1;
    else failed += 1;
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
