import { expect, test } from "vitest";
import { DEFAULT_CROSSING_RULES, type LonLat } from "../../../domain/geometry/geofence.ts";
import { advanceFences } from "../../../ingest/geofence/advance.ts";
import type { Crossing, FenceFix } from "../../../ingest/geofence/crossing.ts";
import { copyFenceFold, newFenceFold, packFenceFold } from "../../../ingest/geofence/fence-fold.ts";
import { type Position, planarScale } from "../../../ingest/geofence/planar.ts";
import type { GeofenceVersion } from "../../../storage/ports/equipment/geofences.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { ASSET, polygon, siteOf } from "./site.ts";
import { inShort, START_MS } from "./walk.ts";

const TRACKS = 40;
const FIXES = 250;
/** Open country, the antimeridian from both sides, the equator, and so near a pole that 100 m are degrees wide. */
const PLACES: readonly (readonly [name: string, origin: Position])[] = [
  ["at 50 degrees north", { lonDeg: 10, latDeg: 50 }],
  ["west of the antimeridian", { lonDeg: 179.999, latDeg: -17 }],
  ["east of the antimeridian", { lonDeg: -179.9999, latDeg: 65 }],
  ["at the equator and the prime meridian", { lonDeg: 0.0001, latDeg: 0.0001 }],
  ["200 m from the pole", { lonDeg: 30, latDeg: 89.998 }],
];

test.each(
  PLACES,
)("%s, fences that the fix stays clear of change no crossing and no state, through edits, jumps and late fixes", (_, origin) => {
  const random = seededRandom(Math.round(origin.latDeg * 1_000));
  const different: string[] = [];
  let crossings = 0;
  for (let n = 0; n < TRACKS && different.length === 0; n++) {
    crossings += compare(random, origin, (text) => different.push(`track ${n} ${text}`));
  }
  expect(different).toEqual([]);
  expect(crossings).toBeGreaterThan(TRACKS);
});

/** Folds one track with and without what is left out, and returns how many crossings there were. */
function compare(
  random: () => number,
  origin: Position,
  report: (difference: string) => void,
): number {
  const at = flatMap(origin);
  const crowd = random() < 0.5 ? 60 : 12;
  const timeline = siteOf(
    ...Array.from({ length: crowd }, (_, i) => randomFence(random, at, `f${i}`)),
  );
  let [fast, full] = [newFenceFold(), newFenceFold()];
  let before = [copyFenceFold(fast), copyFenceFold(full)] as const;
  const since: FenceFix[] = [];
  let crossings = 0;
  const advance = (fix: FenceFix): void => {
    const [a, b]: [Crossing[], Crossing[]] = [[], []];
    advanceFences(fast, fix, ASSET, timeline, (crossing) => a.push(crossing));
    advanceFences(full, fix, ASSET, timeline, (crossing) => b.push(crossing), { skip: false });
    crossings += b.length;
    const isSame =
      JSON.stringify([a, packFenceFold(fast)]) === JSON.stringify([b, packFenceFold(full)]);
    if (!isSame) report(`fix at ${fix.tMs - START_MS}: ${a.map(inShort)} / ${b.map(inShort)}`);
  };
  for (const fix of randomTrack(random, at)) {
    advance(fix);
    since.push(fix);
    const what = random();
    if (what < 0.02) {
      // A late fix: both go back to the copies, and take all since again with it.
      const [first = fix, second = fix] = since;
      const late = { ...first, tMs: (first.tMs + second.tMs) / 2 };
      [fast, full] = [copyFenceFold(before[0]), copyFenceFold(before[1])];
      const again = [...since, late].filter(
        (one, i, all) => all.findIndex(({ tMs }) => tMs === one.tMs) === i,
      );
      for (const one of again.sort((a, b) => a.tMs - b.tMs)) advance(one);
    } else if (what < 0.06) {
      before = [copyFenceFold(fast), copyFenceFold(full)];
      since.length = 0;
    } else if (what < 0.1) {
      const id = `f${Math.floor(random() * crowd * 1.2)}`;
      const validFromMs = fix.tMs + 500;
      const now = timeline.fenceAt(id as GeofenceVersion["geofenceId"], fix.tMs)?.version;
      if (now !== undefined && now.validToMs === undefined) {
        timeline.apply([{ ...now, validToMs: validFromMs }]);
      }
      if (random() < 0.7) timeline.apply([{ ...randomFence(random, at, id), validFromMs }]);
    }
  }
  return crossings;
}

type FlatMap = (eastM: number, northM: number) => Position;

const flatMap = ({ lonDeg, latDeg }: Position): FlatMap => {
  const { mPerLonDeg, mPerLatDeg } = planarScale(latDeg);
  return (eastM, northM) => {
    const x = lonDeg + eastM / mPerLonDeg;
    return {
      lonDeg: x > 180 ? x - 360 : x < -180 ? x + 360 : x,
      latDeg: Math.min(90, latDeg + northM / mPerLatDeg),
    };
  };
};

/** A circle or a star around a place near the origin, 3 m to 30 km across, of 3 to 100 corners. */
function randomFence(random: () => number, at: FlatMap, id: string): GeofenceVersion {
  const corners = 3 + Math.floor(random() ** 2 * 98);
  const radiusM = random() < 0.1 ? 15_000 * random() : 3 * 100 ** random();
  const dent = random() < 0.3 ? 0 : 0.7;
  // Most have their edge where the asset drives, wherever their middle is.
  const angle = random() * 2 * Math.PI;
  const farM = radiusM * random() * 1.2 + random() * 300;
  const [x, y] = [farM * Math.cos(angle), farM * Math.sin(angle)];
  const ring = Array.from({ length: corners }, (_, k): LonLat => {
    const turn = (2 * Math.PI * k) / corners;
    const r = radiusM * (1 - dent * random());
    const { lonDeg, latDeg } = at(x + r * Math.cos(turn), y + r * Math.sin(turn));
    return [lonDeg, latDeg];
  });
  const [first] = ring;
  const rules = { ...DEFAULT_CROSSING_RULES, confirm_fixes: 1 + Math.floor(random() * 3) };
  return { ...polygon(id, []), ring: first === undefined ? ring : [...ring, first], rules };
}

/** Drives, creeps, parks and turns round within 600 m, with noise, gaps, outliers and carriage by lorry. */
function randomTrack(random: () => number, at: FlatMap): readonly FenceFix[] {
  const noiseM = random() < 0.5 ? 0 : random() * 4;
  // A creeping asset has fixes in the narrow strip in which a disc that is too large would hide them.
  const mostMps = random() < 0.5 ? 2 : 30;
  const accuracyM = random() < 0.5 ? 3 : 12;
  let [x, y, tMs, angle, speed] = [0, 0, START_MS, 0, 5];
  return Array.from({ length: FIXES }, () => {
    const what = random();
    if (what < 0.05) speed = random() < 0.3 ? 0 : 0.2 + random() ** 2 * mostMps;
    angle = Math.hypot(x, y) > 600 ? Math.atan2(-y, -x) : angle + (random() - 0.5) * 0.6;
    const stepS = what > 0.99 ? 1_200 : what > 0.9 ? 60 : 1 + Math.floor(random() * 5);
    const stepM = Math.min(speed * stepS, 1_500);
    x += stepM * Math.cos(angle);
    y += stepM * Math.sin(angle);
    tMs += stepS * 1_000;
    const outlierM = random() < 0.01 ? 8_000 : 0;
    const noise = () => (random() - 0.5) * 2 * noiseM;
    return { ...at(x + noise() + outlierM, y + noise()), tMs, accuracyM };
  });
}
