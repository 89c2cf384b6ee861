import { parseArgs } from "node:util";
import {
  FIGURES,
  type FigureName,
  type GridDay,
  gridOfSeed,
  INTERVALS_MIN,
} from "../../support/usage-grid.ts";

/**
 * Simulated days of machines that report every 1, 4, 6, 10 or 60 minutes, with and without hour meter,
 * odometer and engine state. Checks whether the truth lies within the bounds that are given, and how far off the
 * figures are. One seed is one simulated day of one machine; 50 devices report it, which makes 50 device-days.
 *
 *     npm run test:usage -- --seeds 500 --seed 1
 *     npm run test:usage -- --days 520            device-days: rounded up to whole seeds
 */
const { values: given } = parseArgs({
  options: {
    seeds: { type: "string" },
    days: { type: "string", default: "520" },
    seed: { type: "string", default: "1" },
  },
});
const seeds = given.seeds === undefined ? undefined : Number(given.seeds);
for (const number of [seeds ?? 1, Number(given.days), Number(given.seed)]) {
  if (!Number.isInteger(number) || number < 1)
    throw new Error("--seeds, --days, --seed: 1 or more");
}
const isDone = (done: number): boolean =>
  seeds === undefined ? passed + failed >= Number(given.days) : done >= seeds;

let [passed, failed] = [0, 0];
let done = 0;
const rows = new Map<string, GridDay[]>();
for (; !isDone(done); done += 1) {
  for (const day of gridOfSeed(Number(given.seed) + done)) {
    if (day.faults.length === 0) passed += 1;
    else failed += 1;
    for (const fault of day.faults) process.stdout.write(`${day.name}: ${fault}\n`);
    const { intervalS, hours, odometer, engine } = day.device;
    const said = [hours && "hours", odometer && "odometer", engine && "engine"].filter(Boolean);
    const key = `${String(intervalS / 60).padStart(2)} min  ${said.join("+") || "position only"}`;
    rows.set(key, [...(rows.get(key) ?? []), day]);
  }
}

process.stdout.write(
  "interval and what is said: share seen; estimate, half width and mean error, % of the truth\n",
);
for (const minutes of INTERVALS_MIN) {
  for (const [key, days] of rows) {
    if (!key.startsWith(`${String(minutes).padStart(2)} min`)) continue;
    const cells = FIGURES.map((name) => `${name} ${cellOf(name, days)}`);
    process.stdout.write(`${key.padEnd(34)} ${cells.join("  ")}\n`);
  }
}
process.stdout.write(`${done} simulated days (seeds), ${passed + failed} device-days\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** Means over the days of one row. */
function cellOf(name: FigureName, days: readonly GridDay[]): string {
  const mean = (of: (day: GridDay) => number) =>
    days.reduce((sum, day) => sum + of(day), 0) / days.length;
  const truth = mean((day) => day.truth[name]);
  const isNone = days.every((day) => day.figures[name].value === null);
  const percent = (value: number) => `${((100 * value) / truth).toFixed(0)}`;
  const value = isNone ? "null" : percent(mean((day) => day.figures[name].value ?? 0));
  const half = percent(
    mean((day) => ((day.figures[name].upper ?? 0) - (day.figures[name].lower ?? 0)) / 2),
  );
  // Mean of how far off a single day is, and not of the days together.
  const error = percent(
    mean((day) => Math.abs((day.figures[name].value ?? day.truth[name]) - day.truth[name])),
  );
  return `${mean((day) => day.figures[name].seen ?? 0).toFixed(2)} ${value}±${half} e${error}`;
}
