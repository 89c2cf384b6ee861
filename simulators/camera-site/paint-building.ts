import type { Building, Scaffold } from "./building.ts";
import {
  type Canvas,
  type Colour,
  dimConvex,
  fillConvex,
  grain,
  type Spot,
  stroke,
} from "./canvas.ts";
import type { BuildingState } from "./cells.ts";
import { type Light, lit } from "./conditions.ts";
import { paintFace } from "./paint-face.ts";

/** A building as it stands that day, at its place on the canvas. */
export interface Standing {
  readonly building: Building;
  readonly state: BuildingState;
  readonly x: number;
  readonly groundY: number;
  /** Pixels above the ground line that anything of it reaches. */
  readonly risenPx: number;
}

export function standing(building: Building, state: BuildingState, offset: Spot): Standing {
  return {
    building,
    state,
    x: building.x + offset[0],
    groundY: building.groundY + offset[1],
    risenPx: state.floorsUp * building.floorPx,
  };
}

/**
 * Slope of the ground line along sides: they run away from the camera. Steeper looks down on the site, flatter
 * hides its sides.
 */
const SIDE_SLOPE = 0.28;

/** Darkens the ground where a building keeps the sun off. */
export function paintShadow(canvas: Canvas, one: Standing, light: Light): void {
  const { building, x, groundY, risenPx } = one;
  if (risenPx < 4 || light.sun[1] < 0.05) return;
  const far = risenPx * light.shadowLength;
  const dx = -light.side * far;
  const dy = -0.22 * far * (1 - Math.abs(light.side) / 2);
  const dim = light.sky.map((sky, c) => sky / (sky + 0.8 * (light.sun[c] ?? 0)));
  dimConvex(
    canvas,
    [
      [x, groundY],
      [x + building.widthPx, groundY],
      [x + building.widthPx + dx, groundY + dy],
      [x + dx, groundY + dy],
    ],
    [dim[0] ?? 1, dim[1] ?? 1, dim[2] ?? 1],
  );
}

/** Paints a building: pit, faces, roof, scaffold, and its surroundings once they are made. */
export function paintBuilding(
  canvas: Canvas,
  one: Standing,
  others: readonly Standing[],
  light: Light,
): void {
  const { building, state, x, groundY } = one;
  paintPlot(canvas, one, light);
  const sideX = building.sideIsRight ? x + building.widthPx : x - building.sidePx;
  const rise = building.sidePx * SIDE_SLOPE;
  const sunFront = Math.max(0, 1 - 0.75 * Math.abs(light.side));
  const sunSide = Math.max(0, building.sideIsRight ? light.side : -light.side);
  const isShaded = shadeOf(one, others, light);
  paintFace(
    canvas,
    building,
    state,
    {
      ...{ x: sideX, bays: 2, firstBay: building.sideIsRight ? building.bays - 2 : 0 },
      widthPx: building.sidePx,
      y: building.sideIsRight ? groundY : groundY - rise,
      slope: building.sideIsRight ? -SIDE_SLOPE : SIDE_SLOPE,
      sunShare: sunSide,
      isShaded: () => false,
    },
    light,
  );
  paintFace(
    canvas,
    building,
    state,
    {
      ...{ x, y: groundY, widthPx: building.widthPx, slope: 0, bays: building.bays, firstBay: 0 },
      sunShare: sunFront,
      isShaded,
    },
    light,
  );
  paintRoof(canvas, one, sunFront, light);
  const { scaffold } = building;
  if (scaffold !== undefined) paintScaffold(canvas, one, scaffold, light);
}

/** The front's part in the shadow of what stands towards the sun. */
function shadeOf(one: Standing, others: readonly Standing[], light: Light) {
  const towards = Math.sign(light.side);
  const near = others.filter(
    (other) =>
      other !== one &&
      Math.abs(other.groundY - one.groundY) < 60 &&
      Math.sign(other.x - one.x) === towards,
  );
  const steep = Math.max(0.2, light.shadowLength * Math.abs(light.side));
  const casts = near.map((other) => ({
    away: Math.abs(other.x - one.x) - (towards > 0 ? 0 : other.building.widthPx),
    top: other.risenPx,
  }));
  if (casts.length === 0 || light.sun[1] < 0.05) return () => false;
  return (along: number, up: number): boolean => {
    const from = towards > 0 ? -along : along;
    return casts.some(({ away, top }) => up < top - (away + from) / steep);
  };
}

/** Pit, foundation and the finished grounds. */
function paintPlot(canvas: Canvas, { building, state, x, groundY }: Standing, light: Light): void {
  const bottom: readonly Spot[] = [
    [x - 10, groundY + 9],
    [x + building.widthPx + 10, groundY + 9],
    [x + building.widthPx + 4, groundY - 4],
    [x - 4, groundY - 4],
  ];
  const works = state.groundworks;
  if (works > 0) {
    const soil: Colour = [96, 74, 55];
    fillConvex(canvas, bottom, lit(soil, 0.4, building.depth, light), 0.3 + 0.6 * works);
  }
  if (works > 0.5) {
    const [left, right] = [x, x + building.widthPx * (2 * works - 1)];
    const foundation = lit(building.colours.slab, 0.7, building.depth, light);
    fillConvex(
      canvas,
      [
        [left, groundY],
        [right, groundY],
        [right, groundY - 5],
        [left, groundY - 5],
      ],
      foundation,
    );
  }
  if (state.outside > 0) {
    const grounds: Colour = building.grainSeed % 2 === 0 ? [92, 122, 70] : [88, 88, 92];
    const width = (building.widthPx + 20) * state.outside;
    fillConvex(
      canvas,
      [
        [x - 10, groundY + 10],
        [x - 10 + width, groundY + 10],
        [x - 10 + width, groundY + 1],
        [x - 10, groundY + 1],
      ],
      lit(grounds, 0.7, building.depth, light),
    );
  }
}

function paintRoof(
  canvas: Canvas,
  { building, state, x, groundY }: Standing,
  sunShare: number,
  light: Light,
): void {
  if (state.roof === 0) return;
  const top = groundY - building.floors * building.floorPx;
  const right = x + building.widthPx * state.roof;
  const rise = building.pitchedRoof ? building.floorPx * 0.9 : 5;
  const inset = building.pitchedRoof ? building.widthPx * 0.12 : 0;
  const colour = lit(building.colours.roof, sunShare, building.depth, light);
  fillConvex(
    canvas,
    [
      [x - 2, top + 2],
      [right + 2, top + 2],
      [right - inset * state.roof, top - rise],
      [x + inset * state.roof, top - rise],
    ],
    colour,
  );
}

function paintScaffold(canvas: Canvas, one: Standing, scaffold: Scaffold, light: Light): void {
  const { building, state, x, groundY } = one;
  const { percent } = state;
  if (percent < scaffold.from || percent > scaffold.until) return;
  const top = Math.min(building.floors, Math.ceil(state.floorsUp) + 0.6) * building.floorPx;
  // Taken down from above over the last 8 points.
  const left = Math.min(1, (scaffold.until - percent) / 8);
  const upTo = top * left;
  const from = scaffold.isMoving ? Math.max(0, upTo - 2.4 * building.floorPx) : 0;
  const tube = lit(scaffold.tube, 0.5, building.depth, light);
  const right = x + building.widthPx;
  const step = Math.max(7, building.widthPx / (building.bays * 2));
  for (let pole = x - 3; pole <= right + 3; pole += step) {
    stroke(canvas, [pole, groundY - from], [pole, groundY - upTo], 1.2, tube);
  }
  for (let up = from; up <= upTo; up += building.floorPx / 2) {
    stroke(canvas, [x - 3, groundY - up], [right + 3, groundY - up], 1.2, tube);
  }
  const { net } = scaffold;
  if (net === undefined || percent < net.from) return;
  const colour = lit(net.colour, 0.6, building.depth, light);
  // Sheets of the net are missing here and there, others from stage to stage.
  const sheets = Math.ceil((right - x) / 30);
  for (let sheet = 0; sheet < sheets; sheet += 1) {
    if (grain(sheet, Math.floor(percent / 12), building.grainSeed) < 50) continue;
    const [a, b] = [x + sheet * 30 - 3, Math.min(right + 3, x + sheet * 30 + 27)];
    fillConvex(
      canvas,
      [
        [a, groundY - from],
        [b, groundY - from],
        [b, groundY - upTo],
        [a, groundY - upTo],
      ],
      colour,
      net.share,
    );
  }
}
