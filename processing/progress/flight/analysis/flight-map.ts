import { coarser } from "../../../grid/coarser-surface.ts";
import { elevationAt, resampleElevation } from "../../../grid/elevation-at.ts";
import type { GridFrame, HeightField } from "../../../grid/elevation-grid.ts";
import type { PlanPolygon } from "../../../grid/polygon-weights.ts";
import { encodePng } from "../../../images/pixels/encode.ts";
import { roundRank } from "../../../numeric/quantile.ts";
import { tickStep } from "../../../page/ticks.ts";
import { changeColours, UNCHANGED } from "../../../pictures/change-colour.ts";
import { hillshade } from "../../../pictures/hillshade.ts";
import { INK } from "../../../pictures/ink.ts";
import { hatchings, reliefGrey, shaded } from "../../../pictures/map-colours.ts";
import type { Colour } from "../../../pictures/picture.ts";
import { drawPlanMap } from "../../../pictures/plan-map.ts";
import { clipPolygon } from "../cells/clip-polygon.ts";
import { boxOfGrid } from "../cells/lattice.ts";
import { MAP_PX } from "../input/flight-limits.ts";

/**
 * Changes below it are drawn in grey, metres: about what two good surveys differ by. Smaller shows noise as
 * work, larger hides thin layers.
 */
const NOISE_M = 0.1;
/** Colours never span less, metres, and leave out this share of the cells at the ends: one crane must not flatten them. */
const MIN_SPAN_M = 0.5;
const OUTLIERS = 0.005;
const TICKS = 8;
const SHADE_FLOOR = 0.7;
/** The zones' lines on the grey relief. */
const ZONE_LINE: Colour = [214, 72, 10];

/** A map of a flight, PNG, north up. */
export interface FlightMap {
  readonly title: string;
  readonly png: Uint8Array;
}

/**
 * What came and went since an earlier flight, as colours on the relief, with the lines of the zones; the
 * relief alone for the first flight. All in one frame.
 */
export async function flightMap(
  surface: HeightField,
  earlier: HeightField | undefined,
  zones: readonly PlanPolygon[],
): Promise<FlightMap> {
  const frame = mapFrame(surface);
  const cells = coarser(surface, frame.cellM);
  const relief = hillshade(cells);
  const shadeAt = (col: number, row: number): number => {
    const [x, y] = middleOf(frame, col, row);
    const c = Math.min(cells.width - 1, Math.floor((x - cells.westM) / cells.cellM));
    const r = Math.min(cells.height - 1, Math.floor((cells.northM - y) / cells.cellM));
    return relief[r * cells.width + c] ?? 0;
  };
  const box = boxOfGrid(frame);
  const lines = zones.map((zone) => clipPolygon(zone, box)).filter((line) => line.length > 2);
  const outlinesIn = (colour: Colour) => lines.map((polygon) => ({ polygon, colour }));
  if (earlier === undefined) {
    const picture = drawPlanMap({
      window: frame,
      outlines: outlinesIn(ZONE_LINE),
      pixel: (col, row) => {
        const shade = shadeAt(col, row);
        return shade === 0 ? hatchings.noData(col, row) : reliefGrey(shade);
      },
      keys: [],
    });
    return { title: "Relief with the zones", png: await encodePng(picture) };
  }
  const change = resampleElevation(cells, frame).map((z, i) => {
    const [x, y] = middleOf(frame, i % frame.width, Math.floor(i / frame.width));
    return z - elevationAt(earlier, x, y);
  });
  const step = tickStep(2 * spanOf(change), TICKS);
  const top = Math.ceil(spanOf(change) / step - 1e-6) * step;
  const colour = changeColours(NOISE_M, top);
  const picture = drawPlanMap({
    window: frame,
    outlines: outlinesIn(INK),
    pixel: (col, row, at) => {
      const changeM = change[at] ?? Number.NaN;
      return Number.isNaN(changeM)
        ? hatchings.noData(col, row)
        : shaded(colour(changeM), shadeAt(col, row) || LEVEL, SHADE_FLOOR);
    },
    scale: { title: "change: - removed, + added, m", low: -top, high: top, step, colour },
    keys: [
      { text: `within ${NOISE_M.toFixed(2)} m`, colour: UNCHANGED },
      ...(change.some(Number.isNaN) ? [NO_DATA_KEY] : []),
    ],
  });
  return { title: "Change of heights since the first flight", png: await encodePng(picture) };
}

/** Light on level ground. */
const LEVEL = 128;
const NO_DATA_KEY = { text: "no data", colour: [255, 255, 255], hatching: "noData" } as const;

/** The whole surface, its longer edge as many pixels as the map has. */
function mapFrame({ westM, northM, cellM, width, height }: GridFrame): GridFrame {
  const pixelM = (Math.max(width, height) * cellM) / MAP_PX;
  return {
    westM,
    northM,
    cellM: pixelM,
    width: Math.max(1, Math.round((width * cellM) / pixelM)),
    height: Math.max(1, Math.round((height * cellM) / pixelM)),
  };
}

const middleOf = ({ westM, northM, cellM }: GridFrame, col: number, row: number) =>
  [westM + (col + 0.5) * cellM, northM - (row + 0.5) * cellM] as const;

/** The largest change but for a few cells, metres. */
function spanOf(change: Float32Array): number {
  const sizes = change
    .filter((one) => !Number.isNaN(one))
    .map(Math.abs)
    .sort();
  return Math.max(MIN_SPAN_M, roundRank(sizes, 1 - OUTLIERS) ?? 0);
}
