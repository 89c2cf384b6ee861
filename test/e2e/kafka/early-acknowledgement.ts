import { PATIENT_MS } from "../../support/patience.ts";
import { caughtUp } from "../../support/site.ts";
import { until } from "../../support/until.ts";
import { count, missingNumbers } from "../cluster/evidence.ts";
import type { RoleProcess } from "../roles/cluster.ts";
import type { Check } from "./check.ts";
import type { PatientFleet } from "./patient-fleet.ts";
import { evenlyShared, goesOn, type KafkaSite, openKafkaSite, PARTITIONS } from "./site.ts";

const MACHINES = 20;
const PROJECTS = 6;
const RATE = 500;
/** Messages before the brokers are killed, and those that the control has to acknowledge after it. */
const BEFORE = 500;
const EARLY = 200;
/** How long the service is watched while it must not acknowledge anything, ms. */
const WATCHED_MS = 3_000;

/**
 * Two of three brokers are killed, then the only ingest process, then all come back: once with the service, once with
 * a control that answers PUBACK before Kafka does. The control must lose messages; otherwise the checks here prove
 * nothing.
 */
export const earlyAcknowledgement: Check = {
  name: "control",
  purpose: "a control that answers before the brokers do loses messages; the service does not",
  async run({ print }) {
    const site = await openKafkaSite({ machines: MACHINES, projects: PROJECTS, rate: RATE });
    try {
      const part = { site, current: await site.startIngest() };
      const ports = () => (part.current.service.isGone ? [] : [part.current.service.mqttPort]);
      const fleet = site.fleet(ports);
      const service = await outage(part, fleet);
      print(`the service: ${service.during} acknowledged meanwhile, ${service.lost} lost`);
      await part.current.service.end("SIGTERM");
      part.current = await site.startIngest(new URL("./early/hooks.mjs", import.meta.url).href);
      const { output } = part.current.service;
      if (!output.some((line) => line.includes("journal answers early"))) {
        throw new Error("the control was not loaded");
      }
      const control = await outage(part, fleet);
      const lost = control.lost - service.lost;
      print(`the control: ${control.during} acknowledged meanwhile, ${lost} lost`);
      return [
        [`the service loses nothing (${service.lost})`, service.lost === 0],
        ["the control without the brokers' acknowledgement loses messages", lost > 0],
      ];
    } finally {
      await site.close();
    }
  },
};

/** Messages that were acknowledged while two brokers were away, and all acknowledged ones that are not stored at the end. */
async function outage(
  part: { readonly site: KafkaSite; current: RoleProcess },
  fleet: PatientFleet,
): Promise<{ readonly during: number; readonly lost: number }> {
  const { kafka, api, startMs } = part.site;
  await evenlyShared(part.site, 1);
  fleet.start();
  await goesOn(fleet, BEFORE);
  await Promise.all([kafka.kill(1), kafka.kill(2)]);
  const before = fleet.acknowledged;
  const untilMs = performance.now() + WATCHED_MS;
  await until(
    "enough was acknowledged, or watched for long enough",
    () => fleet.acknowledged >= before + EARLY || performance.now() >= untilMs,
    PATIENT_MS,
  );
  await part.current.service.end("SIGKILL");
  const during = fleet.acknowledged - before;
  await Promise.all([kafka.start(1), kafka.start(2)]);
  part.current = await part.site.startIngest();
  await goesOn(fleet, BEFORE);
  await fleet.stop();
  // What is lost never comes: all partitions have been read to their end instead.
  await until(
    "the new process has all partitions",
    async () => {
      const metrics = await part.current.api.text("/metrics");
      return metrics.includes(`\nplumbline_mqtt_partitions ${PARTITIONS}\n`);
    },
    PATIENT_MS,
  );
  await caughtUp(part.current.api);
  return { during, lost: count(await missingNumbers(api.api, fleet.sent, startMs)) };
}
