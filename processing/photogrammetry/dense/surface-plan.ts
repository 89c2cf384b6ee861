import type { GridFrame } from "../../grid/elevation-grid.ts";
import { floorRank } from "../../numeric/quantile.ts";
import type { Reconstruction } from "../reconstruction/reconstruction.ts";
import { pyramidLevels } from "./image-pyramid.ts";
import type { MatchPass } from "./tile.ts";

/** What a surface is asked for. */
export interface SurfaceOptions {
  /** Edge of a cell, metres; wins over `cellGsd`. */
  readonly cellM?: number;
  /** Edge of a cell in ground sample distances of the working size; default 2. */
  readonly cellGsd?: number;
  /** The cell grows until the surface has no more cells than this. */
  readonly maxCells?: number;
  /** Instead of the box around the tie points, ENU metres. */
  readonly bounds?: Bounds;
}

export interface Bounds {
  readonly westM: number;
  readonly southM: number;
  readonly eastM: number;
  readonly northM: number;
}

/** The surface at one size of cell, coarse to fine. */
export interface SurfaceLevel {
  readonly frame: GridFrame;
  /** Level of the image pyramids that is matched. */
  readonly pyramidLevel: number;
  readonly tiles: readonly TilePlan[];
  /** How the tiles are matched, each time around the last result. */
  readonly passes: readonly MatchPass[];
}

/** Cells of the level's frame that one task works out. */
export interface TilePlan {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

export interface SurfacePlan {
  /** Ground sample distance of the working size below the middle of the flight, metres. */
  readonly gsdM: number;
  /** Median height of the tie points, and the heights that hold 99 % of them, ENU metres. */
  readonly groundM: number;
  readonly lowM: number;
  readonly highM: number;
  /** Coarse to fine; the last has the frame of the surface. */
  readonly levels: readonly SurfaceLevel[];
}

/**
 * Pixels of the pyramid level that is matched per cell, between 0.7 and 1.4 times this: fewer blur the surface,
 * more leave pixels unread. The prototype's best runs had 1.5.
 */
const PIXELS_PER_CELL = 1.4;
/**
 * Step of the heights in pixels of the level on the ground. At the base to height ratio of 0.4 that
 * pairs of a 70 % overlap have, 1.44 moves an image by 0.6 pixels; lower is finer and slower. Half of
 * it in the last pass measured the same (NMAD 0.94 against 0.93 cm, 36 synthetic images).
 */
const STEP_PX = 1.44;
/** Steps to either side on finer levels: 5 correct 5 x 0.6 = 3 pixels of the level. */
const FINE_STEPS = 5;
/**
 * And on the last level, which only refines; 7 heights fit the kernel's 8 lanes. 11 in the first of its two
 * passes change no volume by 0.1 % and take 1.6 times as long.
 */
const LAST_STEPS = 3;
/** The first level searches half the heights of the tie points, but these shares of the flying height at least and at most. */
const MIN_SEARCH = 0.06;
const MAX_SEARCH = 0.2;
/**
 * Half edges of the correlation windows, cells. The last level has the surface's shape already and can
 * do with 5 x 5 cells: heap 2.3 instead of 2.9 cm rms on 36 synthetic images, and on the Brighton
 * Beach flight NMAD 3.6 instead of 3.8 cm.
 */
const WINDOW_RADIUS = 3;
const LAST_WINDOW_RADIUS = 2;
/** Edge of a tile as a share of the shorter edge of an image on the ground: five views still hold it. */
const TILE_OF_FOOTPRINT = 0.22;
const MIN_TILE_CELLS = 20;
const MAX_TILE_CELLS = 128;
/** Views that a height of the result rests on at least: two agree by chance more often. */
const MIN_VIEWS = 3;
/** Share of the tie points left out on each side of the box: strays of the adjustment. */
const STRAY_SHARE = 0.005;

/**
 * Decides the grids and tiles of the surface; works nothing out yet.
 * @throws RangeError when the reconstruction has no cameras or no points.
 */
export function planSurface(
  reconstruction: Reconstruction,
  options: SurfaceOptions = {},
): SurfacePlan {
  const { cameras, lenses, points } = reconstruction;
  const axis = (k: number) => points.filter((_, i) => i % 3 === k).sort();
  const [east, north, up] = [axis(0), axis(1), axis(2)];
  const lens = lenses[0];
  if (lens === undefined || cameras.length === 0 || up.length === 0) {
    throw new RangeError("a surface needs cameras and tie points");
  }
  const groundM = share(up, 0.5);
  const flyingHeights = Float64Array.from(cameras, ({ pose }) => pose.centre[2] - groundM).sort();
  const aboveGroundM = Math.max(share(flyingHeights, 0.5), 1);
  const gsdM = aboveGroundM / lens.focalPx;
  const bounds = options.bounds ?? {
    westM: share(east, STRAY_SHARE),
    southM: share(north, STRAY_SHARE),
    eastM: share(east, 1 - STRAY_SHARE),
    northM: share(north, 1 - STRAY_SHARE),
  };
  const spanM = [bounds.eastM - bounds.westM, bounds.northM - bounds.southM] as const;
  const wantedM = options.cellM ?? (options.cellGsd ?? 2) * gsdM;
  const cellM = Math.max(
    wantedM,
    Math.sqrt((spanM[0] * spanM[1]) / (options.maxCells ?? Infinity)),
  );
  const lowM = share(up, STRAY_SHARE);
  const highM = share(up, 1 - STRAY_SHARE);
  const searchM = Math.min(
    Math.max((highM - lowM) / 2, MIN_SEARCH * aboveGroundM),
    MAX_SEARCH * aboveGroundM,
  );

  const shortEdgePx = Math.min(lens.widthPx, lens.heightPx);
  const deepest = pyramidLevels(lens.widthPx, lens.heightPx) - 1;
  const finest = Math.round(Math.log2(cellM / gsdM / PIXELS_PER_CELL));
  const finestLevel = Math.min(deepest, Math.max(0, finest));
  const levels: SurfaceLevel[] = [];
  for (let pyramidLevel = deepest; pyramidLevel >= finestLevel; pyramidLevel -= 1) {
    const levelCellM = cellM * 2 ** (pyramidLevel - finestLevel);
    const stepM = STEP_PX * gsdM * 2 ** pyramidLevel;
    const frame: GridFrame = {
      westM: bounds.westM,
      northM: bounds.northM,
      cellM: levelCellM,
      width: Math.max(1, Math.ceil(spanM[0] / levelCellM)),
      height: Math.max(1, Math.ceil(spanM[1] / levelCellM)),
    };
    const tileCells = Math.round((TILE_OF_FOOTPRINT * shortEdgePx * gsdM) / levelCellM);
    const pass = {
      stepM,
      steps: FINE_STEPS,
      radius: WINDOW_RADIUS,
      medianRadius: 2,
      minViews: 2,
      rejectsEnds: false,
    };
    const wide = { ...pass, steps: Math.ceil(searchM / stepM) };
    const sharp = {
      ...pass,
      steps: LAST_STEPS,
      radius: LAST_WINDOW_RADIUS,
      medianRadius: 1,
    };
    const last = { ...sharp, minViews: MIN_VIEWS, rejectsEnds: true };
    levels.push({
      frame,
      pyramidLevel,
      tiles: cutTiles(frame, Math.min(MAX_TILE_CELLS, Math.max(MIN_TILE_CELLS, tileCells))),
      passes: [
        ...(pyramidLevel === deepest ? [wide] : []),
        ...(pyramidLevel === finestLevel ? [sharp, last] : [pass]),
      ],
    });
  }
  return { gsdM, groundM, lowM, highM, levels };
}

/** Tiles of nearly one size, none larger than `edge`. */
function cutTiles({ width, height }: GridFrame, edge: number): readonly TilePlan[] {
  const acrossX = Math.ceil(width / edge);
  const acrossY = Math.ceil(height / edge);
  const tiles: TilePlan[] = [];
  for (let y = 0; y < acrossY; y += 1) {
    for (let x = 0; x < acrossX; x += 1) {
      const column = Math.floor((x * width) / acrossX);
      const row = Math.floor((y * height) / acrossY);
      tiles.push({
        column,
        row,
        width: Math.floor(((x + 1) * width) / acrossX) - column,
        height: Math.floor(((y + 1) * height) / acrossY) - row,
      });
    }
  }
  return tiles;
}

/** The value below which that share of sorted values lies. */
function share(sorted: Float64Array, part: number): number {
  return floorRank(sorted, part) ?? 0;
}
