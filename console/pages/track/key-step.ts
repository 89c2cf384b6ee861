/** Steps that read well, ms. */
const STEPS_MS = [1, 5, 10, 30, 60, 300, 600].map((s) => s * 1_000);
/** Key presses from one end of a range to the other, about. */
const PRESSES = 300;
/** How many steps a page is. */
const PAGE = 10;

/**
 * How far a key moves the time, ms: arrows by a step that goes with the range, with Shift by a second, page keys by ten
 * steps. `undefined`: the key is the browser's.
 */
export function keyStepMs(key: string, isShift: boolean, rangeMs: number): number | undefined {
  const step = STEPS_MS.find((one) => one >= rangeMs / PRESSES) ?? 600_000;
  const arrow = isShift ? 1_000 : step;
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return arrow;
    case "ArrowLeft":
    case "ArrowDown":
      return -arrow;
    case "PageUp":
      return PAGE * step;
    case "PageDown":
      return -PAGE * step;
    default:
      return undefined;
  }
}
