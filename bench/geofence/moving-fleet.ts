import { DEFAULT_CROSSING_RULES, type LonLat } from "../../domain/geometry/geofence.ts";
import type { GeofenceId } from "../../domain/ids.ts";
import { planarScale } from "../../ingest/geofence/planar.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import { gaussian, randomFor } from "../../test/ingest/geofence/noise.ts";
import { ORIGIN, PROJECT } from "../../test/ingest/geofence/site.ts";

const SCALE = planarScale(ORIGIN.latDeg);
/** Mean distance of neighbouring sites, metres; more fences cover more country, as they do in life. */
const SITE_SPACING_M = 12_000;
const FENCES_PER_SITE = 40;
/** Spread of a site's fences around its middle, metres. */
const SITE_SIGMA_M = 2_500;

/** Star-shaped fences of 20 to 60 corners and 50 to 800 m radius, 40 around each of many sites. */
export function clusteredFences(count: number): readonly GeofenceVersion[] {
  const random = randomFor(1, count);
  const countryM = SITE_SPACING_M * Math.sqrt(count / FENCES_PER_SITE);
  let site = { x: 0, y: 0 };
  return Array.from({ length: count }, (_, i) => {
    if (i % FENCES_PER_SITE === 0) {
      site = { x: (random() - 0.5) * countryM, y: (random() - 0.5) * countryM };
    }
    const x = site.x + gaussian(random) * SITE_SIGMA_M;
    const y = site.y + gaussian(random) * SITE_SIGMA_M;
    return starFence(random, `gf_${String(i).padStart(6, "0")}`, x, y);
  });
}

function starFence(random: () => number, id: string, x: number, y: number): GeofenceVersion {
  const corners = 20 + Math.floor(random() * 41);
  const radiusM = 50 * 16 ** random();
  const ring = Array.from({ length: corners }, (_, k): LonLat => {
    const angle = (2 * Math.PI * k) / corners;
    const r = radiusM * (0.7 + 0.6 * random());
    return lonLat(x + r * Math.cos(angle), y + r * Math.sin(angle));
  });
  const [first] = ring;
  return {
    geofenceId: id as GeofenceId,
    projectId: PROJECT,
    name: id,
    kind: "zone",
    ring: first === undefined ? ring : [...ring, first],
    areaSqm: 1,
    alertOn: ["both"],
    rules: DEFAULT_CROSSING_RULES,
    validFromMs: 0,
    validToMs: undefined,
    revision: 1,
  };
}

const lonLat = (x: number, y: number): LonLat => [
  ORIGIN.lonDeg + x / SCALE.mPerLonDeg,
  ORIGIN.latDeg + y / SCALE.mPerLatDeg,
];

/** Fixes in the order in which they come in: fix `i` is of asset `i % assets`. */
export interface Tracks {
  readonly assets: number;
  readonly lonDeg: Float64Array;
  readonly latDeg: Float64Array;
}

/** Machines that start near a fence each and wander on, 1 to 10 m from fix to fix. */
export function movingTracks(
  fences: readonly GeofenceVersion[],
  assets: number,
  fixesPerAsset: number,
): Tracks {
  const random = randomFor(2, fences.length);
  const states = Array.from({ length: assets }, () => {
    const corner = fences[Math.floor(random() * fences.length)]?.ring[0] ?? [0, 0];
    return {
      lonDeg: corner[0] + (gaussian(random) * 600) / SCALE.mPerLonDeg,
      latDeg: corner[1] + (gaussian(random) * 600) / SCALE.mPerLatDeg,
      headingRad: random() * 2 * Math.PI,
      stepM: 1 + 9 * random(),
    };
  });
  const count = assets * fixesPerAsset;
  const lonDeg = new Float64Array(count);
  const latDeg = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const state = states[i % assets];
    if (state === undefined) break;
    state.headingRad += gaussian(random) * 0.15;
    state.stepM = Math.min(10, Math.max(1, state.stepM + gaussian(random) * 0.3));
    state.lonDeg += (Math.cos(state.headingRad) * state.stepM) / SCALE.mPerLonDeg;
    state.latDeg += (Math.sin(state.headingRad) * state.stepM) / SCALE.mPerLatDeg;
    lonDeg[i] = state.lonDeg;
    latDeg[i] = state.latDeg;
  }
  return { assets, lonDeg, latDeg };
}
