import { parseArgs } from "node:util";
import { INFLUXDB } from "../../support/influx-server.ts";
import { KAFKA } from "../../support/kafka/kafka-brokers.ts";
import { whyNoPostgres } from "../../support/postgres-server.ts";
import { runChecks } from "./check.ts";
import { earlyAcknowledgement } from "./early-acknowledgement.ts";
import { kills } from "./kills.ts";
import { move } from "./move.ts";
import { raises } from "./raises.ts";
import { rebalance } from "./rebalance.ts";

/**
 * `npm run test:kafka`: ingest processes on three real brokers of Kafka, a PostgreSQL and an InfluxDB of the
 * script's own, all of which are killed under machines that publish. `--rounds` of kills under `--machines` with `--rate`
 * messages a second, `--only kills,rebalance,raises,move,control`.
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
await runChecks([kills, rebalance, raises, move, earlyAcknowledgement], {
  only: values.only,
  absent: [KAFKA.absent, INFLUXDB.absent, whyNoPostgres()],
  context: {
    rounds: Number(values.rounds),
    machines: Number(values.machines),
    rate: Number(values.rate),
    print: console.log,
  },
});
