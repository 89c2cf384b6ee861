import { checkSlope, commonSlope, type LimitOutcome, type Slope } from "./slope.ts";
import type { Life, Sample, SoakResult } from "./soak.ts";

/** One line of the result. */
export interface Check {
  readonly outcome: LimitOutcome;
  readonly text: string;
}

/** Heap growth of a process that leaks nothing worth a restart in a month, MB/h. */
const HEAP_LIMIT = 1;
/** Descriptors that a life may end above its beginning, and the last life above the first. */
const DESCRIPTOR_LIMIT = 5;
/** Lives that are needed to measure growth from one to the next. */
const FEWEST_LIVES = 4;
const HOUR_MS = 3_600_000;
const MB = 1_000_000;

/** Beginnings of lives that are left out, ms. */
interface Beginnings {
  /** Of the level of a life, and of descriptors. */
  readonly warmUpMs: number;
  /** Of growth within a life: shorter lives do not show it. */
  readonly settleMs: number;
}

/** What a run comes to. */
export function checksOf(
  { lives, tally, api }: SoakResult,
  { warmUpMs, settleMs }: Beginnings,
): readonly Check[] {
  const warm = after(lives, warmUpMs);
  const heap = warm.map(heapOf);
  const within = commonSlope(after(lives, settleMs).map(heapOf));
  const levels = {
    timesH: heap.map(({ timesH }) => mean(timesH)),
    values: heap.map(({ values }) => mean(values)),
  };
  const overLives = commonSlope(lives.length < FEWEST_LIVES ? [] : [levels]);
  const rise = descriptorRise(warm);
  const exactly = (what: string, count: number): Check => ({
    outcome: count === 0 ? "passed" : "failed",
    text: `${what}: ${count}`,
  });
  return [
    exactly("acknowledged - stored", tally.lost),
    exactly("stored twice", tally.twice),
    exactly("stored but never sent", tally.invented),
    exactly(`keyed POSTs that made two resources (of ${api.keyed})`, api.doubled),
    exactly("answers with a status of 500 or more", api.failed),
    {
      outcome: checkSlope(within, HEAP_LIMIT),
      text: `heap within a life < ${HEAP_LIMIT} MB/h: ${shown(within)}`,
    },
    {
      outcome: checkSlope(overLives, HEAP_LIMIT),
      text: `heap from life to life < ${HEAP_LIMIT} MB/h: ${shown(overLives)}`,
    },
    {
      outcome: rise <= DESCRIPTOR_LIMIT ? "passed" : "failed",
      text: `descriptors rise by at most ${DESCRIPTOR_LIMIT}: ${rise}`,
    },
  ];
}

/** Samples of each life that are so long after its beginning. */
const after = (lives: readonly Life[], ms: number): readonly (readonly Sample[])[] =>
  lives
    .map(({ startedAtMs, samples }) => samples.filter(({ atMs }) => atMs >= startedAtMs + ms))
    .filter(({ length }) => length > 0);

const heapOf = (samples: readonly Sample[]) => ({
  timesH: samples.map(({ atMs }) => atMs / HOUR_MS),
  values: samples.map(({ heapBytes }) => heapBytes / MB),
});

/** The largest rise of descriptors within a life, and from the first life to the last. */
function descriptorRise(lives: readonly (readonly Sample[])[]): number {
  const medians = lives.map((samples) => {
    const counts = samples.map(({ descriptors }) => descriptors);
    const third = Math.max(1, Math.floor(counts.length / 3));
    return { first: median(counts.slice(0, third)), last: median(counts.slice(-third)) };
  });
  const within = medians.map(({ first, last }) => last - first);
  const over = (medians.at(-1)?.first ?? 0) - (medians[0]?.first ?? 0);
  return Math.max(0, over, ...within);
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function shown({ perHour, standardError }: Slope): string {
  if (!Number.isFinite(standardError)) return "too few samples";
  return `${perHour.toFixed(2)} MB/h, standard error ${standardError.toFixed(2)}`;
}
