import { parseArgs } from "node:util";
import { createRandom } from "../../support/random.ts";
import { createControlTarget } from "./control-target.ts";
import { createPlumblineTarget } from "./plumbline-target.ts";
import { runCrashRounds } from "./rounds.ts";
import type { Verdict } from "./verdict.ts";

/**
 * `npm run test:crash`: kills the real program with SIGKILL at random moments under load, then looks
 * for every acknowledged message. The same rounds against stock aedes must find losses, or the test
 * proves nothing. Exit code 1 when either expectation fails.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    devices: { type: "string", default: "50" },
    window: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    // A round of the control loses something about every second time.
    "control-rounds": { type: "string", default: "12" },
    "keep-data": { type: "boolean", default: false },
  },
});

async function run(kind: "plumbline" | "control", rounds: number): Promise<Verdict> {
  const target = await (kind === "plumbline" ? createPlumblineTarget() : createControlTarget());
  try {
    const verdict = await runCrashRounds(target, {
      rounds,
      devices: Number(values.devices),
      window: Number(values.window),
      loadMs: { min: 200, max: 1_500 },
      random: createRandom(Number(values.seed)),
      onRound: (round, acked, downMs) => {
        if (round % 5 === 0 || round === rounds) {
          console.log(
            `${target.name}: round ${round}/${rounds}, ${acked} acknowledged, up again after ${Math.round(downMs)} ms`,
          );
        }
      },
    });
    console.log(`${target.name}:`, JSON.stringify(verdict));
    return verdict;
  } finally {
    await target.dispose({ keepData: values["keep-data"] });
  }
}

const control = await run("control", Number(values["control-rounds"]));
const verdict = await run("plumbline", Number(values.rounds));
const checks: readonly (readonly [name: string, passed: boolean])[] = [
  ["acknowledged - stored = 0", verdict.lost === 0],
  ["stored twice = 0", verdict.twice === 0],
  ["stored but never sent = 0", verdict.invented === 0],
  ["something was acknowledged in every round", verdict.acked > Number(values.rounds)],
  ["the control without a journal loses points", control.lost > 0],
];
for (const [name, passed] of checks) console.log(`${passed ? "ok  " : "FAIL"} ${name}`);
const passed = checks.filter(([, ok]) => ok).length;
console.log(`${passed} passed, ${checks.length - passed} failed`);
process.exit(passed === checks.length ? 0 : 1);
