import { expect } from "vitest";
import { startProcessorClock } from "./processor-time.ts";

const RUNS = 7;

/**
 * Expects `handle` to take less processor time than parsing `body` does. Both take turns on the same machine,
 * whatever its speed; the least of several leaves out the collector of garbage.
 */
export async function expectCheaperThanParsing(
  body: string,
  handle: () => Promise<void>,
): Promise<void> {
  const handlingMs: number[] = [];
  const parsingMs: number[] = [];
  for (let i = 0; i < RUNS; i += 1) {
    const handling = startProcessorClock();
    await handle();
    handlingMs.push(handling());
    const parsing = startProcessorClock();
    tryParsing(body);
    parsingMs.push(parsing());
  }
  expect(Math.min(...handlingMs)).toBeLessThan(Math.min(...parsingMs));
}

function tryParsing(body: string): void {
  try {
    JSON.parse(body);
  } catch {
    // Not complete: it was read to its end all the same.
  }
}
