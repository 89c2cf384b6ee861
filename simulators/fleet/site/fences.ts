import type { Location } from "../../../domain/geodesy.ts";
import type { Random } from "../../randomness/random.ts";
import { moved, type Point } from "./plane.ts";
import type { PlaceName, Site } from "./site.ts";

/** What a fence is drawn around: a working place, or a stretch of the haul road. */
type FenceKind = "place" | "road";

/** A fence of the truth. */
export interface Fence {
  readonly id: string;
  readonly name: string;
  readonly kind: FenceKind;
  readonly projectId: string;
  readonly alertOn: readonly ("enter" | "exit" | "both")[];
  /** The corners as they are published, rounded to 1e-7 degrees (1 cm); an open ring. */
  readonly polygon: readonly Location[];
  /** The same published corners on the site's plane. */
  readonly ring: readonly Point[];
}

/** Places in the order in which they get a fence; `undefined` is a stretch of road. */
const ORDER: readonly (PlaceName | undefined)[] = [
  "load_area",
  "dump",
  undefined,
  "pour",
  "batch_plant",
  "workshop",
  "parking",
  undefined,
  "office",
];

const DEGREE_STEP = 1e-7;

/** Draws fence number `index` of a site, as a person would: a few corners, not quite regular. */
export function createFence(random: Random, site: Site, projectId: string, index: number): Fence {
  const place = index < ORDER.length ? ORDER[index] : undefined;
  const kind: FenceKind = place === undefined ? "road" : "place";
  const center =
    place === undefined ? random.pick(site.road.slice(2, -2)) : site.places[place].center;
  const sizeM = place === undefined ? random.uniform(30, 90) : random.uniform(55, 85);
  const polygon = drawRing(random, center, sizeM).map((corner) => {
    const { latitude, longitude } = site.frame.toLocation(corner);
    return { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude) };
  });
  return {
    id: `${projectId}-fence-${index + 1}`,
    name: `${place?.replace("_", " ") ?? "haul road"} ${index + 1}`,
    kind,
    projectId,
    alertOn: [random.pick(["enter", "exit", "both"] as const)],
    polygon,
    ring: polygon.map(site.frame.toPoint),
  };
}

/** The polygon as the contract writes it: `[latitude, longitude]` pairs. */
export function cornerPairs({ polygon }: Fence): readonly (readonly [number, number])[] {
  return polygon.map(({ latitude, longitude }) => [latitude, longitude]);
}

/** The body of POST /equipment/geofences that puts a fence in force from `validFromMs` on. */
export function fenceBody(fence: Fence, validFromMs: number) {
  return {
    id: fence.id,
    name: fence.name,
    project_id: fence.projectId,
    polygon: cornerPairs(fence),
    alert_on: fence.alertOn,
    valid_from: new Date(validFromMs).toISOString(),
  };
}

/** A star-shaped ring of 4 to 12 corners around `center`; it never crosses itself. */
function drawRing(random: Random, center: Point, sizeM: number): readonly Point[] {
  const corners = random.integer(4, 12);
  const startDeg = random.uniform(0, 360);
  return Array.from({ length: corners }, (_, i) => {
    // Within +-30 % of its sector every corner keeps its place in the order round the centre.
    const deg = startDeg + ((i + random.uniform(-0.3, 0.3)) * 360) / corners;
    return moved(center, deg, sizeM * random.uniform(0.7, 1.3));
  });
}

function roundDegrees(deg: number): number {
  return Math.round(deg / DEGREE_STEP) / Math.round(1 / DEGREE_STEP);
}
