import { createRandom, type Random } from "../randomness/random.ts";
import { type Backdrop, paintBackdrop, planBackdrop } from "./backdrop.ts";
import { type Building, percentAt, planBuilding } from "./building.ts";
import { createCanvas, type Spot } from "./canvas.ts";
import { buildingState } from "./cells.ts";
import type { Conditions } from "./conditions.ts";
import { develop, type SitePicture } from "./develop.ts";
import type { CameraSiteOptions } from "./options.ts";
import { paintBuilding, paintShadow, standing } from "./paint-building.ts";
import { type Crane, paintCrane, paintOccluders } from "./paint-foreground.ts";

/** A made-up site before one fixed camera. */
export interface CameraSite {
  readonly options: CameraSiteOptions;
  /** The further ones first: each is a zone. */
  readonly buildings: readonly Building[];
  readonly backdrop: Backdrop;
  readonly cranes: readonly Crane[];
  /** Shares of the site's time at which pictures are taken, 0 to 1, ascending. */
  readonly times: readonly number[];
}

/** Pixels around the picture that are painted as well, for a camera that shifts and turns. */
const MARGIN_PX = 16;
const BUILDINGS_PER_ROW = 4;

/** Makes up a site: eight buildings in two rows, their surroundings, and when pictures are taken. */
export function planCameraSite(options: CameraSiteOptions): CameraSite {
  const { seed, widthPx, heightPx, pictures } = options;
  const random = createRandom(`camera-site/${seed}`);
  const rows = [
    { groundY: 0.52, tall: [0.17, 0.27], wide: [0.1, 0.16], depth: 0.65, shift: 0 },
    { groundY: 0.9, tall: [0.24, 0.38], wide: [0.13, 0.19], depth: 0.25, shift: 0.3 },
  ] as const;
  const buildings = rows.flatMap((row, r) =>
    Array.from({ length: BUILDINGS_PER_ROW }, (_, i) => {
      const draw = random.fork(`building ${r} ${i}`);
      const slot = widthPx / BUILDINGS_PER_ROW;
      return planBuilding(draw, {
        name: `Building ${r * BUILDINGS_PER_ROW + i + 1}`,
        centreX: slot * (i + 0.5 + draw.uniform(-0.12, 0.12)),
        groundY: heightPx * (row.groundY + draw.uniform(-0.02, 0.02)),
        heightPx: heightPx * draw.uniform(row.tall[0], row.tall[1]),
        widthPx: widthPx * draw.uniform(row.wide[0], row.wide[1]),
        depth: row.depth + draw.uniform(-0.1, 0.1),
      });
    }),
  );
  const cranes = Array.from({ length: random.integer(0, 2) }, () => ({
    x: random.uniform(0.1, 0.9) * widthPx,
    footY: random.uniform(0.52, 0.6) * heightPx,
    heightPx: random.uniform(0.4, 0.5) * heightPx,
    jibPx: random.uniform(0.2, 0.4) * widthPx,
  }));
  const jitter = random.fork("times");
  return {
    options,
    buildings,
    backdrop: planBackdrop(random.fork("backdrop"), widthPx, heightPx),
    cranes,
    times: Array.from({ length: pictures }, (_, i) =>
      Math.min(1, Math.max(0, (i + jitter.uniform(-0.4, 0.4)) / Math.max(1, pictures - 1))),
    ),
  };
}

/** Percent of each building at a share of the site's time, in their order. */
export function percentsAt(site: CameraSite, time: number): readonly number[] {
  return site.buildings.map((building) => percentAt(building, time));
}

/**
 * Paints a picture of the site at these percents. Some 50 ms for 960 x 540. The same
 * arguments give the same bytes.
 */
export function paintCameraSite(
  site: CameraSite,
  percents: readonly number[],
  conditions: Conditions,
): SitePicture {
  const { widthPx, heightPx } = site.options;
  const { light, panX, panY } = conditions;
  const canvas = createCanvas(widthPx + 2 * MARGIN_PX, heightPx + 2 * MARGIN_PX);
  const view: Spot = [Math.round(panX) - MARGIN_PX, Math.round(panY) - MARGIN_PX];
  const offset: Spot = [-view[0], -view[1]];
  const { backdrop } = site;
  paintBackdrop(
    canvas,
    backdrop,
    [view[0] + backdrop.marginX, view[1] + backdrop.marginY],
    conditions,
  );
  const random: Random = createRandom(`${site.options.seed}/${conditions.seed}`);
  const standings = site.buildings.map((building, i) =>
    standing(building, buildingState(building, percents[i] ?? 0), offset),
  );
  for (const one of standings) paintShadow(canvas, one, light);
  const back = standings.slice(0, BUILDINGS_PER_ROW);
  for (const one of back) paintBuilding(canvas, one, standings, light);
  for (const crane of site.cranes) paintCrane(canvas, crane, offset, random, light);
  for (const one of standings.slice(BUILDINGS_PER_ROW)) {
    paintBuilding(canvas, one, standings, light);
  }
  paintOccluders(canvas, { left: MARGIN_PX, top: MARGIN_PX, widthPx, heightPx }, random, light);
  return develop(canvas, widthPx, heightPx, conditions, random);
}

/**
 * Outline of each building's zone in the reference view, shares of its width and height: what a person
 * draws around where it will stand, with a little of what lies around.
 */
export function zoneOutlines(site: CameraSite): readonly (readonly Spot[])[] {
  const { widthPx, heightPx } = site.options;
  return site.buildings.map((building) => {
    const left = building.x - (building.sideIsRight ? 0 : building.sidePx) - 6;
    const right = building.x + building.widthPx + (building.sideIsRight ? building.sidePx : 0) + 6;
    const top = building.groundY - building.floors * building.floorPx - 14;
    const bottom = building.groundY + 10;
    const corners: readonly Spot[] = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ];
    return corners.map(
      ([x, y]): Spot => [
        Math.min(1, Math.max(0, x / widthPx)),
        Math.min(1, Math.max(0, y / heightPx)),
      ],
    );
  });
}
