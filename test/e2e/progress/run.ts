import { parseArgs } from "node:util";
import type { Check } from "./check.ts";
import { CHECKS } from "./checks.ts";

/**
 * `npm run test:progress`: simulated sites with fixed cameras and from the air, through the analysis and
 * through the real service over HTTP, against their truth; the long suite beside `npm test`. `--only a,b`
 * runs the checks of these names, `--list` names them. Small by default: `--only project --projects 12
 * --weeks 4` and `--only camera-sites --seeds 40` are the full sizes; `--first-project` and `--first-seed`
 * take seeds that nothing was tuned on. `--keep FOLDER` leaves pictures for inspection. Exit code 1 when
 * an expectation fails.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seeds: { type: "string", default: "2" },
    "first-seed": { type: "string", default: "1" },
    projects: { type: "string", default: "1" },
    "first-project": { type: "string", default: "1" },
    weeks: { type: "string", default: "2" },
    images: { type: "string", default: "12" },
    keep: { type: "string" },
    list: { type: "boolean", default: false },
  },
});

if (values.list) {
  for (const { name, about } of CHECKS) console.log(`${name.padEnd(20)}${about}`);
  process.exit(0);
}
type Size = "seeds" | "first-seed" | "projects" | "first-project" | "weeks" | "images";
const size = (name: Size, least: number, most: number): number => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  console.error(`--${name} "${values[name]}" is not a whole number from ${least} to ${most}`);
  process.exit(2);
};
const sizes = {
  seeds: size("seeds", 1, 1_000),
  firstSeed: size("first-seed", 1, 1_000_000),
  projects: size("projects", 1, 100),
  firstProject: size("first-project", 1, 1_000_000),
  weeks: size("weeks", 2, 12),
  images: size("images", 9, 100),
};
const only = values.only?.split(",");
const unknown = only?.filter((name) => !CHECKS.some((check) => check.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`there is no check ${unknown.join(", ")}; --list names them`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
const expect = (name: string, isSo: boolean, detail = ""): void => {
  if (isSo) passed += 1;
  else failed += 1;
  console.log(`${isSo ? "ok  " : "FAIL"} ${name}${detail === "" ? "" : ` (${detail})`}`);
};

for (const check of CHECKS) {
  if (only !== undefined && !only.includes(check.name)) continue;
  console.log(`\n${check.name}: ${check.about}`);
  const startedMs = performance.now();
  await run(check);
  console.log(`  ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

async function run(check: Check): Promise<void> {
  const before = passed + failed;
  try {
    const context = { expect, print: (line: string) => console.log(`  ${line}`), ...sizes };
    const end = await check.run({ ...context, keep: values.keep });
    if (end !== undefined) console.log(`skipped ${check.name}: ${end.skipped}`);
    else if (passed + failed === before) expect(`${check.name} expects something`, false);
  } catch (error) {
    console.log(error);
    expect(`${check.name} runs to its end`, false);
  }
}
