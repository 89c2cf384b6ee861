import { BLOCK_CELLS } from "./blocks.ts";
import { type NodeFrame, sharedFloats } from "./height-field.ts";

/** Light of a clear day. */
export interface Light {
  /** Unit vector towards the sun, ENU. */
  readonly sun: readonly [number, number, number];
  /** Sunlight and light of the whole sky, red, green, blue: what a white level surface gives back. */
  readonly sunColour: readonly [number, number, number];
  readonly skyColour: readonly [number, number, number];
}

/** Towards the sun's azimuth (rad clockwise from north) and elevation; sunlit gravel is mid grey. */
export function createLight(azimuthRad: number, elevationRad: number): Light {
  const level = Math.cos(elevationRad);
  return {
    sun: [level * Math.sin(azimuthRad), level * Math.cos(azimuthRad), Math.sin(elevationRad)],
    sunColour: [1, 0.95, 0.87],
    skyColour: [0.24, 0.28, 0.34],
  };
}

/** What casts shadows: heights of everything, and bounds by block widened to their neighbours. */
export interface ShadowCaster extends NodeFrame {
  readonly surface: Float32Array;
  readonly blockSize: number;
  readonly widenedTopM: Float32Array;
  /** Above this nothing casts shadows. */
  readonly highestM: number;
}

/** Lifts the start off its own surface, metres, against shadows of a node on itself. */
const START_ABOVE_M = 0.04;

/** Whether something stands between a point and the sun. */
export function isShaded(
  caster: ShadowCaster,
  sun: Light["sun"],
  eastM: number,
  northM: number,
  upM: number,
): boolean {
  const { size, cellM, extentM, surface, blockSize, widenedTopM, highestM } = caster;
  const level = Math.hypot(sun[0], sun[1]);
  const stepX = sun[0] / level;
  const stepY = -sun[1] / level;
  const rise = (sun[2] / level) * cellM;
  const startX = (eastM + extentM) / cellM;
  const startY = (extentM - northM) / cellM;
  let along = 1.5;
  for (;;) {
    const x = startX + stepX * along;
    const y = startY + stepY * along;
    const column = Math.floor(x + 0.5);
    const row = Math.floor(y + 0.5);
    if (column < 0 || row < 0 || column >= size || row >= size) return false;
    const z = upM + START_ABOVE_M + rise * along;
    if (z > highestM) return false;
    const block =
      Math.min(blockSize - 1, Math.floor(row / BLOCK_CELLS)) * blockSize +
      Math.min(blockSize - 1, Math.floor(column / BLOCK_CELLS));
    if (z > (widenedTopM[block] ?? 0)) {
      // Nothing here or next to it reaches the ray, nor anything it can climb past within a block.
      along += BLOCK_CELLS - 1;
    } else {
      if ((surface[row * size + column] ?? 0) > z) return true;
      along += 1;
    }
  }
}

/** Nodes between samples of the sky; its light changes slowly. */
const SKY_STEP = 4;
const SKY_DIRECTIONS = 8;
/**
 * Distances at which the horizon is searched, metres. More cost time for each node, farther ones hardly shade.
 */
const HORIZON_M = [0.5, 1, 2, 4, 8, 14] as const;

/** Share of the sky that is seen, 0 to 1, at every {@link SKY_STEP}th node. */
export interface SkyView {
  readonly size: number;
  readonly share: Float32Array;
}

/** Searches the horizon in eight directions: the open share is the mean of cos2 of its elevation. */
export function createSkyView(
  frame: NodeFrame,
  terrain: Float32Array,
  surface: Float32Array,
): SkyView {
  const size = Math.floor((frame.size - 1) / SKY_STEP) + 2;
  const share = sharedFloats(size * size);
  const at = (heights: Float32Array, column: number, row: number) => {
    const c = Math.min(frame.size - 1, Math.max(0, Math.round(column)));
    const r = Math.min(frame.size - 1, Math.max(0, Math.round(row)));
    return heights[r * frame.size + c] ?? 0;
  };
  const directions = Array.from({ length: SKY_DIRECTIONS }, (_, k) => {
    const angle = ((k + 0.5) * 2 * Math.PI) / SKY_DIRECTIONS;
    return [Math.cos(angle), Math.sin(angle)] as const;
  });
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const upM = at(terrain, column * SKY_STEP, row * SKY_STEP);
      let open = 0;
      for (const [dx, dy] of directions) {
        let steepest = 0;
        for (const awayM of HORIZON_M) {
          const cells = awayM / frame.cellM;
          const x = column * SKY_STEP + dx * cells;
          const y = row * SKY_STEP + dy * cells;
          steepest = Math.max(steepest, (at(surface, x, y) - upM) / awayM);
        }
        open += 1 / (1 + steepest * steepest);
      }
      share[row * size + column] = open / SKY_DIRECTIONS;
    }
  }
  return { size, share };
}

/** Share of the sky seen from a node (bilinear between samples). */
export function skyShare({ size, share }: SkyView, column: number, row: number): number {
  const x = column / SKY_STEP;
  const y = row / SKY_STEP;
  const c = Math.floor(x);
  const r = Math.floor(y);
  const i = r * size + c;
  const a = x - c;
  const upper = (share[i] ?? 1) * (1 - a) + (share[i + 1] ?? 1) * a;
  const lower = (share[i + size] ?? 1) * (1 - a) + (share[i + size + 1] ?? 1) * a;
  return upper + (y - r) * (lower - upper);
}
