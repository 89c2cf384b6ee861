/**
 * Speed of each decoder beside that of another checkout of the project, both in one process and in turn, so
 * that what else the machine does changes neither. Median of the ratios of the rounds, and their range; 1 is
 * as fast, the goal is 0.95 or more.
 *
 *   npx tsx bench/decode-paired.ts FOLDER [milliseconds]   of one decoder in one round (default 100)
 */
import { pathToFileURL } from "node:url";
import type { AssetId } from "../domain/ids.ts";
import type { Decoder } from "../ingest/decoders/decoder.ts";
import { DECODERS } from "../ingest/decoders/registry.ts";
import { goldenMapping } from "../test/ingest/decoders/golden-mapping.ts";
import { goldenInputs } from "../test/ingest/decoders/mutations-trial.ts";
import { SINGLE_READINGS } from "./decode/single-readings.ts";

const ROUNDS = 9;
/** Between two looks at the clock. */
const BATCH = 200;
const CONTEXT = { assetId: "asset-1" as AssetId, receivedAtMs: Date.UTC(2026, 10, 20) };

const [, , folder, ms = "100"] = process.argv;
const roundMs = Number(ms);
if (folder === undefined || !(roundMs >= 1)) {
  console.error("usage: decode-paired.ts FOLDER [milliseconds from 1]");
  process.exit(2);
}
const other = pathToFileURL(`${folder}/`);
const theirs: { readonly DECODERS: readonly Decoder[] } = await import(
  new URL("ingest/decoders/registry.ts", other).href
);
const theirMappings: { readonly goldenMapping: typeof goldenMapping } = await import(
  new URL("test/ingest/decoders/golden-mapping.ts", other).href
);

/** Calls per second of processor time. */
function measure(call: () => unknown): number {
  const endMs = performance.now() + roundMs;
  const before = process.cpuUsage();
  let calls = 0;
  while (performance.now() < endMs) {
    for (let i = 0; i < BATCH; i += 1) call();
    calls += BATCH;
  }
  const { user, system } = process.cpuUsage(before);
  return (calls * 1e6) / (user + system);
}

const rows: Record<string, object> = {};
for (const decoder of DECODERS) {
  const before = theirs.DECODERS.find(({ name }) => name === decoder.name);
  if (before === undefined) continue;
  for (const caseName of SINGLE_READINGS[decoder.name] ?? []) {
    const payload = goldenInputs(decoder.name).get(caseName);
    if (payload === undefined) throw new Error(`${decoder.name} has no case ${caseName}`);
    const ours = { ...CONTEXT, mapping: goldenMapping(decoder.name, caseName) };
    const its = { ...CONTEXT, mapping: theirMappings.goldenMapping(decoder.name, caseName) };
    const now = () => decoder.decode(payload, ours);
    const then = () => before.decode(payload, its);
    measure(now);
    measure(then);
    const ratios = Array.from({ length: ROUNDS }, (_, i) => {
      // Each goes first as often.
      const [first, second] = i % 2 === 0 ? [now, then] : [then, now];
      const ratio = measure(first) / measure(second);
      return i % 2 === 0 ? ratio : 1 / ratio;
    }).sort((a, b) => a - b);
    rows[`${decoder.name}, ${caseName}`] = {
      ratio: ratios[Math.floor(ROUNDS / 2)]?.toFixed(3),
      from: ratios[0]?.toFixed(3),
      to: ratios.at(-1)?.toFixed(3),
    };
  }
}
console.table(rows);
