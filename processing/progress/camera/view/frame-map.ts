import type { FoundBlock } from "./block-agreement.ts";
import type { Shift } from "./phase-correlation.ts";
import { FRAME } from "./view-frame.ts";

/**
 * Where a point of the reference lies in a view, both in pixels of the frame: the shift at the middle of the
 * frame, and how it changes by pixel to the right and down.
 */
export interface FrameMap extends Shift {
  readonly dxByX: number;
  readonly dxByY: number;
  readonly dyByX: number;
  readonly dyByY: number;
}

const [MIDDLE_X, MIDDLE_Y] = [FRAME.width / 2, FRAME.height / 2];
/**
 * Fewest blocks that turn and scale are read from: six numbers, twice over-determined. More would leave half-
 * hidden views without a turn; fewer would read it from chance.
 */
const LEAST_BLOCKS = 12;
/**
 * Share of the blocks that must lie on the map that all of them make: else some were found by chance. Higher, a
 * view with a lorry in it has only a shift; lower, a false turn passes.
 */
const LEAST_NEAR = 0.5;
/**
 * How far blocks must spread both ways, squared pixels each: a turn that is read from one corner is off by
 * pixels in the opposite one. Larger, views of which little is seen have only a shift.
 */
const LEAST_SPREAD = 40 ** 2 * 25 ** 2;
/**
 * Largest turn or change of scale of a camera that was not touched: 2.3 degrees, 4 %. Lower, wind and heat make
 * views unclear; higher, a camera that was knocked or zoomed goes on being measured.
 */
const MOST_LINEAR = 0.04;
/**
 * Blocks further from the map than this are left out of the second fit, pixels: blocks are found to the whole
 * pixel. Smaller drops good ones, larger keeps those that were found by chance.
 */
const OUTLIER_PX = 1.5;

export const shiftedBy = ({ dx, dy }: Shift): FrameMap => ({
  dx,
  dy,
  dxByX: 0,
  dxByY: 0,
  dyByX: 0,
  dyByY: 0,
});

export function mapPoint(map: FrameMap, x: number, y: number): readonly [x: number, y: number] {
  const [u, v] = [x - MIDDLE_X, y - MIDDLE_Y];
  return [x + map.dx + map.dxByX * u + map.dxByY * v, y + map.dy + map.dyByX * u + map.dyByY * v];
}

/**
 * The affine map through blocks that were found again, by least squares, twice; `undefined` where they are
 * too few, lie too close together, or do not agree.
 */
export function fitFrameMap(blocks: readonly FoundBlock[]): FrameMap | undefined {
  const first = fitOnce(blocks);
  if (first === undefined) return undefined;
  const near = blocks.filter((block) => {
    const [x, y] = mapPoint(first, block.x, block.y);
    return Math.hypot(x - block.x - block.dx, y - block.y - block.dy) <= OUTLIER_PX;
  });
  return near.length < LEAST_NEAR * blocks.length ? undefined : fitOnce(near);
}

/** Whether the camera was turned about its axis, or zoomed, by more than wind and heat do. */
export const isTurned = (map: FrameMap): boolean =>
  [map.dxByX, map.dxByY, map.dyByX, map.dyByY].some((value) => Math.abs(value) > MOST_LINEAR);

function fitOnce(blocks: readonly FoundBlock[]): FrameMap | undefined {
  if (blocks.length < LEAST_BLOCKS) return undefined;
  const meanX = mean(blocks, ({ x }) => x - MIDDLE_X);
  const meanY = mean(blocks, ({ y }) => y - MIDDLE_Y);
  const moment = (of: (u: number, v: number, block: FoundBlock) => number): number =>
    mean(blocks, (block) => of(block.x - MIDDLE_X - meanX, block.y - MIDDLE_Y - meanY, block));
  const uu = moment((u) => u * u);
  const uv = moment((u, v) => u * v);
  const vv = moment((_, v) => v * v);
  const determinant = uu * vv - uv * uv;
  if (determinant < LEAST_SPREAD) return undefined;
  const solve = (of: (block: FoundBlock) => number) => {
    const ud = moment((u, _, block) => u * of(block));
    const vd = moment((_, v, block) => v * of(block));
    const byX = (vv * ud - uv * vd) / determinant;
    const byY = (uu * vd - uv * ud) / determinant;
    return { at: mean(blocks, of) - byX * meanX - byY * meanY, byX, byY };
  };
  const x = solve(({ dx }) => dx);
  const y = solve(({ dy }) => dy);
  return { dx: x.at, dy: y.at, dxByX: x.byX, dxByY: x.byY, dyByX: y.byX, dyByY: y.byY };
}

const mean = (blocks: readonly FoundBlock[], of: (block: FoundBlock) => number): number =>
  blocks.reduce((sum, block) => sum + of(block), 0) / blocks.length;
