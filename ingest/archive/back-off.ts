import type { ArchiveFailure } from "../../storage/ports/telemetry-archive.ts";

/** Waits between two tries, ms. Chosen: quick after a hiccup, and no load on a server that is down. */
export const BACK_OFF = { firstMs: 500, longestMs: 10_000, holdMs: 30_000 };

/** How long to wait after a failure, ms: doubling, or for a person to act. `tries`: failures before it. */
export function backOffMs(
  kind: ArchiveFailure["kind"],
  tries: number,
  { firstMs, longestMs, holdMs }: typeof BACK_OFF,
): number {
  return kind === "hold" ? holdMs : Math.min(firstMs * 2 ** Math.min(tries, 20), longestMs);
}
