/** Steps of the keys, percent of the map. */
const STEP = 2;
const LONG_STEP = 10;

/** Where a key moves the divider to, percent; `undefined`: the key is none of a slider. */
export function keyStep(key: string, percent: number): number | undefined {
  const to = TARGETS.get(key)?.(percent);
  return to === undefined ? undefined : Math.min(100, Math.max(0, to));
}

type Move = (percent: number) => number;

const TARGETS: ReadonlyMap<string, Move> = new Map<string, Move>([
  ["ArrowLeft", (percent) => percent - STEP],
  ["ArrowDown", (percent) => percent - STEP],
  ["ArrowRight", (percent) => percent + STEP],
  ["ArrowUp", (percent) => percent + STEP],
  ["PageDown", (percent) => percent - LONG_STEP],
  ["PageUp", (percent) => percent + LONG_STEP],
  ["Home", () => 0],
  ["End", () => 100],
]);
