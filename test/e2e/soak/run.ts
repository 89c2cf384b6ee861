import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checksOf } from "./checks.ts";
import { type MinuteRow, runSoak } from "./soak.ts";

/**
 * `npm run test:soak -- --minutes 480`: simulated devices over MQTT and API clients against the real
 * program, which is killed with SIGKILL again and again. Exit code 1 when something was lost or stored
 * twice, or when memory or descriptors grow. A limit that the run is too short to check is `open`. Growth within a
 * life is checked in the last one, which is longer: for half an hour V8 compiles what is called often enough.
 * `TEST_BUILT=1` runs what `npm run build` made. Linux only.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "480" },
    "kill-minutes": { type: "string", default: "10" },
    "warm-up-minutes": { type: "string", default: "3" },
    "last-life-minutes": { type: "string", default: "120" },
    "settle-minutes": { type: "string", default: "35" },
    devices: { type: "string", default: "1000" },
    "every-seconds": { type: "string", default: "10" },
    "sample-seconds": { type: "string", default: "10" },
    "keep-data": { type: "boolean", default: false },
  },
});

const killMinutes = positive("kill-minutes");
// Half of a short life, so that a short run has samples left.
const warmUpMinutes = Math.min(positive("warm-up-minutes"), killMinutes / 2);
/** What was acknowledged is read back from the last 25 h. */
const MOST_MINUTES = 1_440;

function positive(name: Exclude<keyof typeof values, "keep-data">): number {
  const number = Number(values[name]);
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0`);
  return number;
}

const HEADINGS = [
  "min",
  "life",
  "heap MB",
  "RSS MB",
  "fds",
  "CPU s",
  "online",
  "acked",
  "in flight",
  "API",
  "500s",
];
const MB = 1_000_000;

function row(cells: readonly (string | number)[]): void {
  console.log(
    cells.map((cell, i) => String(cell).padStart(HEADINGS[i]?.length ?? 0 + 2)).join("  "),
  );
}

function onMinute({ atMs, heapBytes, rssBytes, descriptors, cpuS, ...rest }: MinuteRow): void {
  const { life, connected, acked, inFlight, api } = rest;
  row([
    Math.round(atMs / 60_000),
    life,
    (heapBytes / MB).toFixed(1),
    Math.round(rssBytes / MB),
    descriptors,
    Math.round(cpuS),
    connected,
    acked,
    inFlight,
    api.answered,
    api.failed,
  ]);
}

const minutes = positive("minutes");
if (minutes > MOST_MINUTES) throw new Error(`--minutes must be at most ${MOST_MINUTES}`);
const dataDir = await mkdtemp(join(tmpdir(), "plumbline-soak-"));
try {
  row(HEADINGS);
  const result = await runSoak({
    dataDir,
    minutes,
    killMinutes,
    lastLifeMinutes: positive("last-life-minutes"),
    devices: positive("devices"),
    everyS: positive("every-seconds"),
    sampleS: positive("sample-seconds"),
    onMinute,
    onStep: (step) => console.log(`${new Date().toISOString()} ${step}`),
  });
  const slowest = Math.max(0, ...result.downMs);
  console.log(`${result.downMs.length} kills, up again after ${Math.round(slowest)} ms at most`);
  console.log(JSON.stringify({ ...result.tally, ...result.api }));
  const settleMs = positive("settle-minutes") * 60_000;
  const checks = checksOf(result, { warmUpMs: warmUpMinutes * 60_000, settleMs });
  const lines = { passed: "ok  ", failed: "FAIL", open: "open" };
  for (const { outcome, text } of checks) console.log(`${lines[outcome]} ${text}`);
  const count = (wanted: string) => checks.filter(({ outcome }) => outcome === wanted).length;
  console.log(`${count("passed")} passed, ${count("failed")} failed`);
  process.exitCode = count("failed") === 0 ? 0 : 1;
} finally {
  if (values["keep-data"]) console.log(`data kept in ${dataDir}`);
  else await rm(dataDir, { recursive: true, force: true });
}
