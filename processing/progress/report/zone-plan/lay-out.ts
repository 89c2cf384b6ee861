import type { Ring } from "../../../../domain/geometry/geofence.ts";
import { createEnuFrame, type GeodeticPoint, surveyOrigin } from "../../../geometry/enu.ts";
import type { PlanPolygon } from "../../../grid/polygon-weights.ts";
import type { PlannedZone } from "./zone-plan.ts";

/** A zone with its place in the plan. */
export interface PlacedZone {
  readonly zone: PlannedZone;
  /** 1, 2, 3, ... in the order of the report. */
  readonly number: number;
  readonly polygon: PlanPolygon;
  /** It has no outline on the ground: a square represents it. */
  readonly isSchematic: boolean;
}

/** Zones in plan: x east, y north, metres from the middle of their outlines. */
export interface ZoneLayout {
  readonly zones: readonly PlacedZone[];
  /** West, south, east, north of all, metres. */
  readonly bounds: readonly [number, number, number, number];
  /** Where a place lies in the plan; `undefined`: no zone has an outline, and the plan lies nowhere. */
  readonly toPlan: ((lonDeg: number, latDeg: number) => readonly [number, number]) | undefined;
}

/**
 * Side of a square that represents a zone, metres, where no zone has an outline: only its ratio to the least
 * span of the map shows.
 */
const SQUARE_M = 20;
/**
 * Squares in a row; gap between squares, as a share of their side. Longer rows make small squares, wider gaps
 * too.
 */
const SQUARES_A_ROW = 6;
const GAP_SHARE = 0.25;
/**
 * Side of a square beside outlines: a share of the longer side of all outlines. Larger, squares crowd the map;
 * smaller, their number does not fit in them.
 */
const SQUARE_SHARE = 0.1;

/** Places zones by their outlines; those without one are squares in rows to the south. */
export function layOut(zones: readonly PlannedZone[]): ZoneLayout {
  const outlines = zones.flatMap(({ polygon }) => (polygon === undefined ? [] : [open(polygon)]));
  const toPlan = planFrame(outlines);
  const drawn = outlines.map(
    (ring): PlanPolygon => ring.map(([lon, lat]) => toPlan?.(lon, lat) ?? [0, 0]),
  );
  const ground = boundsOf(drawn.flat());
  const [west, south, east, north] = ground;
  const side =
    drawn.length === 0
      ? SQUARE_M
      : Math.max(1, SQUARE_SHARE * Math.max(east - west, north - south));
  let squares = 0;
  let outline = 0;
  const placed = zones.map((zone, i): PlacedZone => {
    const isSchematic = zone.polygon === undefined;
    const polygon = isSchematic ? square(squares, side, west, south) : (drawn[outline] ?? []);
    if (isSchematic) squares += 1;
    else outline += 1;
    return { zone, number: i + 1, polygon, isSchematic };
  });
  return { zones: placed, bounds: boundsOf(placed.flatMap(({ polygon }) => polygon)), toPlan };
}

/** A ring without its closing position. */
const open = (ring: Ring): Ring => ring.slice(0, -1);

function planFrame(outlines: readonly Ring[]): ZoneLayout["toPlan"] {
  const origin = surveyOrigin(
    outlines.flat().map(([lonDeg, latDeg]) => ({ lonDeg, latDeg, altitudeM: 0 })),
  );
  if (origin === undefined) return undefined;
  const frame = createEnuFrame(origin);
  return (lonDeg, latDeg) => {
    const point: GeodeticPoint = { lonDeg, latDeg, heightM: 0 };
    const [x, y] = frame.toEnu(point);
    return [x, y];
  };
}

function square(i: number, side: number, west: number, south: number): PlanPolygon {
  const step = side * (1 + GAP_SHARE);
  const x = west + (i % SQUARES_A_ROW) * step;
  const top = south - side * GAP_SHARE * 2 - Math.floor(i / SQUARES_A_ROW) * step;
  return [
    [x, top - side],
    [x + side, top - side],
    [x + side, top],
    [x, top],
  ];
}

function boundsOf(points: PlanPolygon): ZoneLayout["bounds"] {
  if (points.length === 0) return [0, 0, 0, 0];
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    west = Math.min(west, x);
    south = Math.min(south, y);
    east = Math.max(east, x);
    north = Math.max(north, y);
  }
  return [west, south, east, north];
}
