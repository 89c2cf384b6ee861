import type { Location } from "../../../domain/geodesy.ts";
import type { Random } from "../../randomness/random.ts";
import { createFrame, type Frame, moved, type Point } from "./plane.ts";

/** Where work happens; each hangs on the haul road by a spur. */
export const PLACE_NAMES = [
  "load_area",
  "batch_plant",
  "parking",
  "workshop",
  "office",
  "pour",
  "dump",
] as const;
export type PlaceName = (typeof PLACE_NAMES)[number];

interface Place {
  readonly name: PlaceName;
  readonly center: Point;
  /** Index of the road point where the spur leaves. */
  readonly junction: number;
}

/** A spot of one machine at a place. */
export interface Stop {
  readonly place: PlaceName;
  readonly point: Point;
}

/** A construction site: one haul road with places along it, in the plane of its origin. */
export interface Site {
  readonly origin: Location;
  readonly frame: Frame;
  /** Ground level at the origin, metres above the ellipsoid. */
  readonly altitudeM: number;
  /** The haul road from the load area to the dump. */
  readonly road: readonly Point[];
  readonly places: Readonly<Record<PlaceName, Place>>;
  /** The spot number `index` of a place: a grid, 9 m apart, 6 in a row (a truck's width and room). */
  stop(place: PlaceName, index: number): Stop;
  /** The path between two spots, along spurs and road. */
  route(from: Stop, to: Stop): readonly Point[];
}

/** Where each place leaves the road (share of its length) and how far aside it lies, metres. */
const LAYOUT: Readonly<Record<PlaceName, { readonly share: number; readonly asideM: number }>> = {
  load_area: { share: 0, asideM: -70 },
  batch_plant: { share: 0.2, asideM: 110 },
  parking: { share: 0.35, asideM: -95 },
  workshop: { share: 0.45, asideM: 100 },
  office: { share: 0.6, asideM: -85 },
  pour: { share: 0.75, asideM: 105 },
  dump: { share: 1, asideM: 80 },
};

/** Generates a site: a gently bending road of about 0.9 to 1.6 km. Pure in `random`. */
export function createSite(random: Random, origin: Location): Site {
  const road = createRoad(random);
  const places = Object.fromEntries(
    PLACE_NAMES.map((name) => [name, createPlace(name, road)]),
  ) as Record<PlaceName, Place>;
  return {
    origin,
    frame: createFrame(origin),
    altitudeM: Math.round(random.uniform(20, 400)),
    road,
    places,
    stop(place, index) {
      const { center } = places[place];
      const point = {
        eastM: center.eastM + ((index % 6) - 2.5) * 9,
        northM: center.northM + (Math.floor(index / 6) % 6) * 9,
      };
      return { place, point };
    },
    route(from, to) {
      if (from.place === to.place) return [from.point, to.point];
      const [a, b] = [places[from.place], places[to.place]];
      const onRoad = road.slice(
        Math.min(a.junction, b.junction),
        Math.max(a.junction, b.junction) + 1,
      );
      const along = a.junction <= b.junction ? onRoad : onRoad.reverse();
      return [from.point, ...along, to.point];
    },
  };
}

function createRoad(random: Random): readonly Point[] {
  const pieceM = random.uniform(45, 80);
  const road: Point[] = [{ eastM: 0, northM: 0 }];
  let headingDeg = random.uniform(0, 360);
  let bendDeg = 0;
  let last: Point = { eastM: 0, northM: 0 };
  for (let i = 0; i < 20; i += 1) {
    // The bend itself drifts, so that curves are long instead of a zigzag.
    bendDeg = 0.7 * bendDeg + random.uniform(-9, 9);
    headingDeg += bendDeg;
    last = moved(last, headingDeg, pieceM);
    road.push(last);
  }
  return road;
}

function createPlace(name: PlaceName, road: readonly Point[]): Place {
  const { share, asideM } = LAYOUT[name];
  const junction = Math.round(share * (road.length - 1));
  const at = road[junction] ?? { eastM: 0, northM: 0 };
  const next = road[Math.min(junction + 1, road.length - 1)] ?? at;
  const previous = road[Math.max(junction - 1, 0)] ?? at;
  const alongDeg =
    (Math.atan2(next.eastM - previous.eastM, next.northM - previous.northM) * 180) / Math.PI;
  return { name, junction, center: moved(at, alongDeg + 90, asideM) };
}
