/**
 * Whether two checkouts of the project come to the same figures: the services of both, each as a process of its
 * own code, are given the same inputs through the API and MQTT, and every answer is compared. What differs by
 * nature is in `same-figures/by-nature.ts`, all of it.
 *
 *   npx tsx bench/same-figures.ts --before DIR --after DIR [--only decoders,fleet,volumes,reports]
 *       [--renames FILE]
 *
 * --renames: JSON with fields that were renamed on purpose
 * (`same-figures/renames.ts`). One input of each kind is another for `--after`; when that is not found, the
 * comparison is blind. Exit code 1 then, and when anything differs. Both checkouts need their node_modules.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parseProcessStat } from "../test/support/process-stat.ts";
import { machineLoad } from "./figures/machine-load.ts";
import { compareItems, type Items, isSame, type KindRow } from "./same-figures/compare.ts";
import { decoderItems } from "./same-figures/decoder-items.ts";
import { fleetItems } from "./same-figures/fleet-items.ts";
import { createInputs, type Inputs } from "./same-figures/inputs.ts";
import { type Renames, readRenames } from "./same-figures/renames.ts";
import { reportItems } from "./same-figures/report-items.ts";
import { differenceText } from "./same-figures/report-text.ts";
import { openSide, type Side } from "./same-figures/side.ts";
import { volumeItems } from "./same-figures/volume-items.ts";

const KINDS = {
  decoders: (side) => decoderItems(side),
  fleet: (side) => fleetItems(side),
  volumes: (side, inputs) => volumeItems(side, inputs),
  reports: (side, inputs) => reportItems(side, inputs),
} satisfies Record<string, (side: Side, inputs: Inputs) => Promise<Items>>;
type Kind = keyof typeof KINDS;
/** Differences of one kind that are printed; the rest is counted. */
const MOST_SHOWN = 10;

const { values } = parseArgs({
  options: {
    before: { type: "string" },
    after: { type: "string" },
    only: { type: "string" },
    renames: { type: "string" },
  },
});
const { before, after } = values;
const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name);
const kinds = (values.only ?? Object.keys(KINDS).join(",")).split(",").filter(isKind);
if (before === undefined || after === undefined || kinds.length === 0) {
  console.error(
    `usage: same-figures.ts --before DIR --after DIR [--only ${Object.keys(KINDS).join(",")}]`,
  );
  process.exit(2);
}
const renames = values.renames === undefined ? {} : await readRenames(values.renames);
// An exit ends both services (`side.ts`), a signal by itself would not.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.exitCode = (await compare(before, after, renames)) ? 0 : 1;
const { user, system } = process.cpuUsage();
const ownS = (user + system) / 1e6;
console.log(`CPU ${((await childrenCpuS()) + ownS).toFixed(0)} s, both services and all inputs`);

async function compare(then: string, now: string, changed: Renames): Promise<boolean> {
  const inputs = createInputs();
  const open = (name: "before" | "after", checkout: string) =>
    openSide({ name, checkout, renames: changed });
  const [one, other] = await bothEnded(open("before", then), open("after", now));
  await using its = one;
  await using ours = other;
  const table: Record<string, object> = {};
  let areSame = true;
  for (const kind of kinds) {
    // Both at once: on two cores it takes half as long. A kind that fails does not keep the others from running.
    const compared = await bothEnded(KINDS[kind](its, inputs), KINDS[kind](ours, inputs)).then(
      ([before, after]) => compareItems(before, after),
      (error: unknown) => {
        console.error(`${kind} failed:`, error);
        return undefined;
      },
    );
    areSame &&= compared !== undefined && isSame(compared);
    table[kind] = compared === undefined ? { compared: "failed" } : show(kind, compared);
  }
  for (const [what, count] of [...its.translator.counts, ...ours.translator.counts]) {
    console.log(`renamed: ${what}, ${count} times`);
  }
  console.table(table);
  return areSame;
}

/** Prints what differs, and yields the row of the table. */
function show(kind: Kind, row: KindRow): object {
  const { compared, equal, differences, controls, controlsFound } = row;
  console.log(`${kind}: ${compared} items, ${equal} equal; ${machineLoad()}`);
  for (const one of differences.slice(0, MOST_SHOWN)) console.log(differenceText(one));
  const more = differences.length - MOST_SHOWN;
  if (more > 0) console.log(`and ${more} more of this kind`);
  const different = differences.length;
  return { compared, equal, different, controls: `${controlsFound} of ${controls} found` };
}

/** Both results; when one fails, the other's service is still stopped first. */
async function bothEnded<T>(one: Promise<T>, other: Promise<T>): Promise<readonly [T, T]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

/** User and system time of all processes that were started and have ended, s; 0 where there is no /proc. */
async function childrenCpuS(): Promise<number> {
  const text = await readFile("/proc/self/stat", "latin1").catch(() => "");
  return text === "" ? 0 : parseProcessStat(text).childrenCpuS;
}
