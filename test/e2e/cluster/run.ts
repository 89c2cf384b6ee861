import { parseArgs } from "node:util";
import { POSTGRES } from "../../support/databases.ts";
import { INFLUXDB } from "../../support/influx-server.ts";
import { KAFKA } from "../../support/kafka/kafka-brokers.ts";
import { MOSQUITTO_BROKER } from "../../support/mosquitto.ts";
import { runChecks } from "../kafka/check.ts";
import { several } from "./several.ts";
import { single } from "./single.ts";

/**
 * `npm run test:cluster`: machines publish to a Mosquitto, from which one process with a journal of its own takes
 * their messages, or several on Kafka, and processes are killed. `--machines` of them, `--only single,several`.
 * Needs DATABASE_URL, KAFKA_JARS (test/support/kafka). Exit code 1 when anything was lost, published twice or withdrawn.
 */
const { values } = parseArgs({
  options: {
    machines: { type: "string", default: "60" },
    only: { type: "string" },
  },
});
await runChecks([single, several], {
  only: values.only,
  absent: [POSTGRES.absent, KAFKA.absent, INFLUXDB.absent, MOSQUITTO_BROKER.absent],
  context: { rounds: 1, machines: Number(values.machines), rate: 0, print: console.log },
});
