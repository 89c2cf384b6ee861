import { parseArgs } from "node:util";
import { seededRandom } from "../../support/seeded-random.ts";
import { createControlTarget } from "./control-target.ts";
import { watchDelivery } from "./event-parties.ts";
import { createKeyedPosts } from "./keyed-posts.ts";
import { createMeasureJobs } from "./measure-jobs.ts";
import { createMqttReceiver } from "./mqtt-receiver.ts";
import { createPlumblineTarget, type PlumblineControl } from "./plumbline-target.ts";
import { type CrashResult, runCrashRounds } from "./rounds.ts";
import { createStreamReceiver } from "./stream-receiver.ts";
import type { CrashParty, CrashTarget } from "./target.ts";
import { createWebhookReceiver } from "./webhook-receiver.ts";

/**
 * `npm run test:crash`: kills the real program with SIGKILL at random moments under load and while it
 * starts, then checks every acknowledged message, every event at every receiver, and every POST.
 * Two controls must fail: stock aedes loses messages, and a dispatcher that subscribes late loses events;
 * otherwise the test proves nothing. Exit code 1 when any expectation fails. `TEST_BUILT=1` runs what
 * `npm run build` made, which starts sooner. SIGINT ends the kills early, and the checks are made.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "60" },
    devices: { type: "string", default: "20" },
    window: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    // A round of stock aedes loses something about every second time. 0: without this control.
    "control-rounds": { type: "string", default: "12" },
    // The late dispatcher is killed until it has lost an event, this often at most. 0: without it.
    "late-rounds": { type: "string", default: "20" },
    "keep-data": { type: "boolean", default: false },
  },
});
const LATE: PlumblineControl = {
  name: "plumbline that subscribes late",
  hooks: new URL("./old-order/hooks.mjs", import.meta.url).href,
  says: "the control's dispatcher starts",
};
const random = seededRandom(Number(values.seed));
const stopping = new AbortController();
process.once("SIGINT", () => stopping.abort());

async function run(
  target: CrashTarget,
  rounds: number,
  parties: readonly CrashParty[],
): Promise<CrashResult> {
  try {
    const result = await runCrashRounds(target, parties, {
      rounds,
      devices: Number(values.devices),
      window: Number(values.window),
      loadMs: { min: 200, max: 1_500 },
      random,
      signal: stopping.signal,
      onRound: (round, acked, startMs) => {
        if (round % 5 === 0 || round === rounds) {
          const start = `last start ${Math.round(startMs)} ms`;
          console.log(`${target.name}: kill ${round}/${rounds}, ${acked} acknowledged, ${start}`);
        }
      },
    });
    console.log(`${target.name}:`, JSON.stringify(result.tally));
    for (const { name, figures } of result.checks) console.log(`  ${name}: ${figures}`);
    return result;
  } finally {
    await target.dispose({ keepData: values["keep-data"] });
  }
}

/** Kills the late dispatcher in portions until it has lost an event. */
async function runLate(): Promise<boolean> {
  const portion = 5;
  for (let rounds = 0; rounds < Number(values["late-rounds"]); rounds += portion) {
    const target = await createPlumblineTarget(LATE);
    const webhook = watchDelivery(createWebhookReceiver(target.http), target.http, 5_000);
    const { checks } = await run(target, portion, [webhook]);
    if (checks.some(({ passed }) => !passed)) return true;
  }
  return false;
}

/** The controls that were asked for, and whether each found what it must. */
async function runControls(): Promise<readonly (readonly [name: string, passed: boolean])[]> {
  const checks: (readonly [name: string, passed: boolean])[] = [];
  const rounds = Number(values["control-rounds"]);
  if (rounds > 0) {
    const { tally } = await run(await createControlTarget(), rounds, []);
    checks.push(["the control without a journal loses messages", tally.lost > 0]);
  }
  if (Number(values["late-rounds"]) > 0) {
    checks.push(["the control that subscribes late loses events", await runLate()]);
  }
  return checks;
}

const controls = await runControls();
const target = await createPlumblineTarget();
const { http, mqttPort } = target;
const { tally, checks, kills, killsDuringStart } = await run(target, Number(values.rounds), [
  watchDelivery(createWebhookReceiver(http), http),
  watchDelivery(createStreamReceiver(http), http),
  watchDelivery(createMqttReceiver(mqttPort), http),
  createKeyedPosts(http),
  createMeasureJobs(http),
]);
console.log(`${kills} kills, ${killsDuringStart} of them during a start`);
const expectations: readonly (readonly [name: string, passed: boolean])[] = [
  ["acknowledged - stored = 0", tally.lost === 0],
  ["stored twice = 0", tally.twice === 0],
  ["stored but never sent = 0", tally.invented === 0],
  ["something was acknowledged in every round under load", tally.acked > kills],
  ...checks.map(({ name, passed }) => [name, passed] as const),
  ...controls,
];
for (const [name, passed] of expectations) console.log(`${passed ? "ok  " : "FAIL"} ${name}`);
const passed = expectations.filter(([, ok]) => ok).length;
console.log(`${passed} passed, ${expectations.length - passed} failed`);
process.exit(passed === expectations.length ? 0 : 1);
