import { readEpochHead } from "../epoch/epoch-file.ts";
import { BASE_BYTES, declareTask, SHORT_MS } from "../pool/task.ts";
import type { PileInput } from "./pile-glb.ts";
import type { LevelInput, PointsInput } from "./points-glb.ts";

/** Bytes a cell of a level: as read, joined, and as a point in memory and in the file. */
const POINT_BYTES = 64;
/** Bytes a cell of an epoch while it is unpacked, and of its part that becomes a net, in memory and in the file. */
const PILE_BYTES = 160;

export const POINTS_GLB = declareTask<PointsInput, Uint8Array | undefined>(
  import.meta.url,
  "points-glb",
  {
    timeMs: SHORT_MS,
    memoryBytes: ({ heights, colours }) =>
      2 * BASE_BYTES + (cellsOf(heights) + cellsOf(colours)) * POINT_BYTES,
  },
);

export const PILE_GLB = declareTask<PileInput, Uint8Array>(import.meta.url, "pile-glb", {
  timeMs: SHORT_MS,
  memoryBytes: ({ epoch }) => 2 * BASE_BYTES + cellsOf(readEpochHead(epoch)?.frame) * PILE_BYTES,
});

const cellsOf = (level: Pick<LevelInput, "width" | "height"> | undefined): number =>
  level === undefined ? 0 : level.width * level.height;
