import { parseArgs } from "node:util";
import type { Expectation, Skipped } from "./check.ts";
import { CHECKS } from "./checks.ts";

/**
 * `npm run test:survey`: simulated surveys through the whole of photogrammetry against their truth; the
 * long suite beside `npm test`. `--only a,b` runs the checks of these names, `--images N` sets the size
 * of the sets where a check leaves it open, `--seeds N` how many surveys a check over many seeds makes,
 * `--first-seed N` which is the first of `coverage` and `photo-textures`, `--kinds a,b` which kinds of survey (of
 * `coverage` by positions: control,rtk),
 * `--results FILE` keeps what long checks measured, so that another run goes on from there: several processes with a
 * part of the seeds each may share the file, and a last run over all seeds checks what they found. `--list` names the
 * checks. Exit code 1 when an expectation fails.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    images: { type: "string", default: "36" },
    seeds: { type: "string", default: "40" },
    "first-seed": { type: "string" },
    kinds: { type: "string" },
    results: { type: "string" },
    list: { type: "boolean", default: false },
  },
});

if (values.list) {
  for (const { name, about } of CHECKS) console.log(`${name.padEnd(20)}${about}`);
  process.exit(0);
}
const images = Number(values.images);
if (!(Number.isInteger(images) && images >= 5 && images <= 1_000)) {
  console.error(`--images "${values.images}" is not a whole number from 5 to 1000`);
  process.exit(2);
}
const seeds = Number(values.seeds);
if (!(Number.isInteger(seeds) && seeds >= 1 && seeds <= 1_000)) {
  console.error(`--seeds "${values.seeds}" is not a whole number from 1 to 1000`);
  process.exit(2);
}
const given = values["first-seed"];
const firstSeed = given === undefined ? undefined : Number(given);
if (
  firstSeed !== undefined &&
  !(Number.isInteger(firstSeed) && firstSeed >= 1 && firstSeed <= 1e6)
) {
  console.error(`--first-seed "${given}" is not a whole number from 1 to 1000000`);
  process.exit(2);
}
const only = values.only?.split(",");
const unknown = only?.filter((name) => !CHECKS.some((check) => check.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`there is no check ${unknown.join(", ")}; --list names them`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
for (const check of CHECKS) {
  if (only !== undefined && !only.includes(check.name)) continue;
  console.log(`\n${check.name}: ${check.about}`);
  const startedMs = performance.now();
  const expectations = await run(check);
  if ("skipped" in expectations) {
    console.log(`skipped ${check.name}: ${expectations.skipped}`);
    continue;
  }
  for (const { name, passed: ok } of expectations) {
    console.log(`${ok ? "ok  " : "FAIL"} ${name}`);
    if (ok) passed += 1;
    else failed += 1;
  }
  console.log(`  ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

async function run(check: (typeof CHECKS)[number]): Promise<readonly Expectation[] | Skipped> {
  try {
    const found = await check.run({
      ...{ images, seeds, firstSeed, kinds: values.kinds?.split(","), results: values.results },
      print: (line) => console.log(`  ${line}`),
    });
    if ("skipped" in found || found.length > 0) return found;
    return [{ name: "the check expects something", passed: false }];
  } catch (error) {
    console.log(error);
    return [{ name: `ran to its end: ${String(error)}`, passed: false }];
  }
}
