import type { MapGrid, MapPoint } from "./map-grid.ts";

/** Rounds of Newton's method: the way back bends by some millimetres a kilometre, so two would do. */
const ROUNDS = 4;
/** Step of the derivative, cells. */
const STEP = 1;

/** A point of the survey's frame on the map. */
export interface MapPosition {
  /** Metres of the map, as the raster has them. */
  readonly east: number;
  readonly north: number;
  /** What makes a height above the origin's datum of "up", metres. */
  readonly lift: number;
}

/** Where a point (ENU, metres) lies on the map of a raster, also beside the raster: `locate` turned round. */
export function mapPosition({ frame, locate }: MapGrid, x: number, y: number): MapPosition {
  const here: MapPoint = { x: 0, y: 0, lift: 0 };
  const right: MapPoint = { x: 0, y: 0, lift: 0 };
  const below: MapPoint = { x: 0, y: 0, lift: 0 };
  let col = frame.width / 2;
  let row = frame.height / 2;
  for (let round = 0; round < ROUNDS; round += 1) {
    locate(col, row, here);
    locate(col + STEP, row, right);
    locate(col, row + STEP, below);
    const [ax, ay] = [(right.x - here.x) / STEP, (right.y - here.y) / STEP];
    const [bx, by] = [(below.x - here.x) / STEP, (below.y - here.y) / STEP];
    const determinant = ax * by - ay * bx;
    const [dx, dy] = [x - here.x, y - here.y];
    col += (dx * by - dy * bx) / determinant;
    row += (ax * dy - ay * dx) / determinant;
  }
  locate(col, row, here);
  return {
    east: frame.westM + col * frame.cellM,
    north: frame.northM - row * frame.cellM,
    lift: here.lift,
  };
}
