import { parseArgs } from "node:util";
import { DECODERS } from "../../../ingest/decoders/registry.ts";
import { goldenInputs, SLOW_MS, tryGolden } from "../../ingest/decoders/mutations-trial.ts";
import { openHttpRoute } from "./over-http.ts";

/**
 * `npm run test:decoders`: broken inputs for every decoder of the registry, made of its golden cases. It
 * throws nothing but `DECODE_FAILED`, takes at most 5 ms for any input, stays within the physical ranges and
 * says the same twice. Then, over HTTP ingest: every answer is 200 (or 400 for a body that is empty or larger
 * than 1 MiB), and says what the decoder says. `--count N` per decoder (100,000), `--http N` over HTTP (a twentieth), `--seed N` (1), `--only a,b` decoders of these
 * names, `--slow-ms N` for a machine of another speed (5). Exit code 1 when an expectation fails.
 */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    http: { type: "string" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    "slow-ms": { type: "string", default: String(SLOW_MS) },
  },
});

const whole = (name: "count" | "http" | "seed" | "slow-ms", least: number, absent = 0): number => {
  const value = Number(values[name] ?? absent);
  if (Number.isSafeInteger(value) && value >= least) return value;
  console.error(`--${name} "${values[name]}" is not a whole number from ${least}`);
  process.exit(2);
};
const count = whole("count", 1_000);
const httpCount = whole("http", 0, Math.ceil(count / 20));
const seed = whole("seed", 0);
const slowMs = whole("slow-ms", 1);
const only = values.only?.split(",");
const unknown = only?.filter((name) => !DECODERS.some((decoder) => decoder.name === name)) ?? [];
if (unknown.length > 0) {
  console.error(`there is no decoder ${unknown.join(", ")}`);
  process.exit(2);
}

let passed = 0;
let failed = 0;
const expect = (name: string, isSo: boolean): void => {
  if (isSo) passed += 1;
  else failed += 1;
  console.log(`${isSo ? "ok  " : "FAIL"} ${name}`);
};

for (const decoder of DECODERS) {
  const { name } = decoder;
  if (only !== undefined && !only.includes(name)) continue;
  const inputs = goldenInputs(name);
  if (inputs.size === 0) {
    expect(`${name}: has golden cases`, false);
    continue;
  }
  const startMs = performance.now();
  const trial = tryGolden(decoder, { seed, count, slowMs });
  const { decoded, refused, thrown, slow, impossible, unequal, slowestMs } = trial;
  const tookS = ((performance.now() - startMs) / 1_000).toFixed(1);
  console.log(
    `\n${name}: ${count} inputs made of ${inputs.size} in ${tookS} s, ${decoded} decoded, ${refused} refused, slowest ${slowestMs.toFixed(2)} ms`,
  );
  for (const fault of trial.faults) console.log(`  ${fault}`);
  expect(`${name}: threw nothing but DECODE_FAILED (${thrown} others)`, thrown === 0);
  expect(`${name}: took at most ${slowMs} ms each (${slow} longer)`, slow === 0);
  expect(`${name}: said nothing impossible (${impossible} times)`, impossible === 0);
  expect(`${name}: said the same twice (${unequal} times not)`, unequal === 0);
  // All refused, or all accepted, would show nothing.
  expect(`${name}: decoded some and refused some`, Math.min(decoded, refused) > count / 50);
}

const route = await openHttpRoute();
console.log("\nover HTTP ingest:");
for (const decoder of DECODERS) {
  const { name } = decoder;
  if ((only !== undefined && !only.includes(name)) || httpCount === 0) continue;
  const before = route.received();
  const trial = await route.tryDecoder(decoder, seed, httpCount);
  const { stored, quarantined, wrongStatus, contradicted } = trial;
  console.log(
    `${name}: ${httpCount} posted, ${stored} stored or ignored, ${quarantined} quarantined`,
  );
  for (const fault of trial.faults) console.log(`  ${fault}`);
  expect(`${name}: answered 200 or 400 always (${wrongStatus} times not)`, wrongStatus === 0);
  expect(`${name}: answered what the decoder says (${contradicted} times not)`, contradicted === 0);
  // Nearly all inputs are messages.
  expect(`${name}: came to intake`, route.received() - before > httpCount * 0.9);
}
await route.close();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
