import { expect } from "vitest";
import { startProcessorClock } from "./processor-time.ts";

/** A service that runs has compiled what it does; the first requests of a process cost twice as much. */
const RUNS = 60;
const PARSING_RUNS = 3;
/** What refusing a body of 1 MiB takes at most, ms of processor time, where decoding it takes {@link DECODING_MS}. */
const PROMISED_MS = 5;
const DECODING_MS = 0.6;

/**
 * Expects `handle` to refuse a body of 1 MiB for 5 ms of processor time, and for less than parsing it takes. A slower
 * machine has as much more as it takes to decode the body. All take turns; the least of several leaves out the
 * collector of garbage.
 */
export async function expectCheaperThanParsing(
  body: string,
  handle: () => Promise<void>,
): Promise<void> {
  const bytes = Buffer.from(body);
  const spent = { handling: Infinity, decoding: Infinity, parsing: Infinity };
  const least = async (name: keyof typeof spent, work: () => unknown) => {
    const elapsedMs = startProcessorClock();
    await work();
    spent[name] = Math.min(spent[name], elapsedMs());
  };
  for (let i = 0; i < RUNS; i += 1) {
    await least("handling", handle);
    await least("decoding", () => bytes.toString());
    if (i < PARSING_RUNS) await least("parsing", () => tryParsing(body));
  }
  expect(spent.handling).toBeLessThan(spent.parsing);
  expect(spent.handling).toBeLessThan(PROMISED_MS * Math.max(1, spent.decoding / DECODING_MS));
}

function tryParsing(body: string): void {
  try {
    JSON.parse(body);
  } catch {
    // Not complete: it was read to its end all the same.
  }
}
