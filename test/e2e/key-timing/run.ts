import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createApiClient } from "../../support/api-client.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { startServiceProcess } from "../../support/service-process.ts";
import { TimedClient } from "./client.ts";
import { malformedKey, nearAdmin, nearKey, unknownKey, unlike } from "./guesses.ts";
import { welchT, withoutSlowest } from "./welch.ts";

/**
 * `npm run test:key-timing`: whether the time of a refusal reveals how much of a guessed key is right. Pairs of
 * requests, one with a guess that begins as a real key does and one with a guess that does not, in an order that is
 * drawn. Welch's t of the two samples without the slowest tenth. Two controls: the same kind of guess on both sides
 * must show nothing, and a malformed key, which is refused without a look-up, must show. `--pairs N` (10,000),
 * `--seed N` (1). Exit code 1 when an expectation fails.
 */
const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
  },
});
const pairs = Number(values.pairs);
if (!Number.isSafeInteger(pairs) || pairs < 100) {
  console.error("--pairs is a whole number from 100");
  process.exit(2);
}

/** The limit of the usual leakage assessment (TVLA): by chance once in 150,000 comparisons. */
const LIMIT = 4.5;
const ADMIN_KEY = "key-timing-admin-key-of-the-environment-42";
const PATIENT_MS = 300_000;

interface Comparison {
  readonly name: string;
  readonly left: () => string;
  readonly right: () => string;
  readonly differs: boolean;
}

/** Times of both kinds of guesses, ns; which one is asked first is drawn for each pair. */
async function measure(
  client: TimedClient,
  { left, right }: Comparison,
  random: () => number,
): Promise<readonly [readonly number[], readonly number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < pairs; i += 1) {
    await client.prepare(unknownKey());
    const [leftKey, rightKey] = [left(), right()];
    if (random() < 0.5) {
      times[0].push(await client.ask(leftKey));
      times[1].push(await client.ask(rightKey));
    } else {
      times[1].push(await client.ask(rightKey));
      times[0].push(await client.ask(leftKey));
    }
  }
  return times;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const dataDir = await mkdtemp(join(tmpdir(), "plumbline-key-timing-"));
const service = await startServiceProcess({ dataDir, adminKey: ADMIN_KEY, startMs: PATIENT_MS });
let passed = 0;
let failed = 0;
const client = new TimedClient(new URL(service.http));
try {
  const api = createApiClient(service.http, ADMIN_KEY);
  const { key } = await api.post<{ key: string }>("/keys", {
    name: "a real key",
    scopes: ["equipment:read"],
    plan: "enterprise",
  });
  const comparisons: readonly Comparison[] = [
    { name: "the same kind on both sides", left: unknownKey, right: unknownKey, differs: false },
    {
      name: "24 of 30 characters of a real key",
      left: () => nearKey(key),
      right: unknownKey,
      differs: false,
    },
    {
      name: "36 of 42 characters of the key of the environment",
      left: () => nearAdmin(ADMIN_KEY),
      right: () => unlike(ADMIN_KEY),
      differs: false,
    },
    {
      name: "a malformed key (control: its format is public)",
      left: malformedKey,
      right: unknownKey,
      differs: true,
    },
  ];
  const random = seededRandom(Number(values.seed));
  for (const comparison of comparisons) {
    const [left, right] = await measure(client, comparison, random);
    const t = welchT(...withoutSlowest(left, right));
    const isSo = Math.abs(t) >= LIMIT === comparison.differs;
    const limit = comparison.differs ? `at least ${LIMIT}` : `below ${LIMIT}`;
    const medians = `medians ${Math.round(median(left) / 1_000)} and ${Math.round(median(right) / 1_000)} us`;
    const found = `|t| = ${Math.abs(t).toFixed(2)}, ${limit}; ${medians}, ${pairs} pairs`;
    console.log(`${isSo ? "ok  " : "FAIL"} ${comparison.name}: ${found}`);
    if (isSo) passed += 1;
    else failed += 1;
  }
} finally {
  client.close();
  await service.end("SIGTERM");
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
