import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";
import { missingNumbers } from "../cluster/evidence.ts";
import type { RoleProcess } from "../roles/cluster.ts";
import type { Expectation, KafkaCheck } from "./check.ts";
import { evenlyShared, goesOn, openKafkaSite, PARTITIONS } from "./site.ts";

const MACHINES = 20;
const PROJECTS = 6;
const RATE = 500;
/** Messages before the brokers are killed, and those that the control has to acknowledge after it. */
const BEFORE = 500;
const EARLY = 200;
/** How long the service is watched while it must not acknowledge anything, ms. */
const WATCHED_MS = 3_000;

/**
 * Two of three brokers are killed, then the only ingest process, then all come back. The control answers PUBACK
 * before Kafka does and must lose messages; otherwise the checks here prove nothing.
 */
export const earlyAcknowledgement: KafkaCheck = {
  name: "control",
  purpose: "a control that answers before the brokers do loses messages; the service does not",
  async run({ print }) {
    const hooks = new URL("./early/hooks.mjs", import.meta.url).href;
    const control = await outage(hooks);
    print(
      `the control: ${control.during} acknowledged while brokers were away, ${control.lost} lost`,
    );
    const service = await outage();
    print(
      `the service: ${service.during} acknowledged while brokers were away, ${service.lost} lost`,
    );
    return [
      ["the control without the brokers' acknowledgement loses messages", control.lost > 0],
      [`the service loses nothing (${service.lost})`, service.lost === 0],
    ] satisfies readonly Expectation[];
  },
};

/** Messages that were acknowledged while two brokers were away, and acknowledged ones that are not stored at the end. */
async function outage(hooks?: string): Promise<{ readonly during: number; readonly lost: number }> {
  const site = await openKafkaSite({ machines: MACHINES, projects: PROJECTS, rate: RATE });
  try {
    let node: RoleProcess = await site.startIngest(hooks);
    const isControl = node.service.output.some((line) => line.includes("journal answers early"));
    if (isControl !== (hooks !== undefined)) throw new Error("the control was not loaded");
    await evenlyShared(site, 1);
    const fleet = site.fleet(() => (node.service.isGone ? [] : [node.service.mqttPort]));
    fleet.start();
    await goesOn(fleet, BEFORE);
    await Promise.all([site.kafka.kill(1), site.kafka.kill(2)]);
    const before = fleet.acknowledged;
    const untilMs = performance.now() + WATCHED_MS;
    await until(
      "enough was acknowledged, or watched for long enough",
      () => fleet.acknowledged >= before + EARLY || performance.now() >= untilMs,
      PATIENT_MS,
    );
    await node.service.end("SIGKILL");
    const during = fleet.acknowledged - before;
    await Promise.all([site.kafka.start(1), site.kafka.start(2)]);
    node = await site.startIngest();
    await goesOn(fleet, BEFORE);
    await fleet.stop();
    const missing = async () => {
      const all = await missingNumbers(site.api.api, fleet.sent, site.startMs);
      return [...all.values()].reduce((sum, numbers) => sum + numbers.length, 0);
    };
    // What is lost never comes: all partitions have been read to their end instead.
    await until(
      "the new process has read all partitions to their end",
      async () => {
        const text = await (await fetch(`${node.service.http}/metrics`)).text();
        const lags = [...text.matchAll(/^plumbline_journal_lag_records\{.*\} (\d+)$/gm)];
        const isAll = text.includes(`\nplumbline_mqtt_partitions ${PARTITIONS}\n`);
        return isAll && lags.length === 2 && lags.every(([, lag]) => lag === "0");
      },
      PATIENT_MS,
    );
    return { during, lost: await missing() };
  } finally {
    await site.close();
  }
}
