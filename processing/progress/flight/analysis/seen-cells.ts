import { closeGaps } from "../../../grid/close-gaps.ts";
import { standingObjects } from "../cells/standing-objects.ts";
import type { ZoneCells } from "../cells/zone-cells.ts";
import type { ZoneInput } from "../input/flight-input.ts";

/**
 * Cells of earthworks and slabs on which machines and the like stand, or stood when the ground was flown
 * over before a fill: 1 or 0 each. What they hide counts as not seen, and is taken to be like the soil around.
 */
export function thingsOn({ metric }: ZoneInput, cells: ZoneCells, sourceCellM: number): Uint8Array {
  const { frame, now, before, design } = cells;
  const rise = now.map((z, i) => z - (before[i] ?? Number.NaN));
  // Slabs are steep and narrow themselves: what stands on them stands above their design.
  const beyond = metric.kind === "area" ? now.map((z, i) => z - (design[i] ?? Number.NaN)) : rise;
  const above = metric.kind === "cut" ? beyond : beyond.map(atLeast0);
  const { cells: standing } = standingObjects(frame, above, sourceCellM);
  // Narrow pits of a cut are work; a fill does not go down.
  if (metric.kind !== "fill") return standing;
  const sunk = standingObjects(
    frame,
    rise.map((z) => atLeast0(-z)),
    sourceCellM,
  );
  return standing.map((one, i) => Math.max(one, sunk.cells[i] ?? 0));
}

/** The flight's heights with the soil around things stretched below them. */
export function soilBelow({ frame, now }: ZoneCells, things: Uint8Array): Float32Array {
  const soil = now.map((z, i) => (things[i] === 1 ? Number.NaN : z));
  const gaps = [...things.keys()].filter((i) => things[i] === 1 && !Number.isNaN(now[i] ?? 0));
  if (gaps.length > 0) closeGaps(soil, frame.width, gaps);
  return soil;
}

/** NaN stays NaN. */
const atLeast0 = (z: number): number => (z < 0 ? 0 : z);
