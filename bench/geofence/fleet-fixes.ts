import { DEFAULT_CROSSING_RULES, type LonLat } from "../../domain/geometry/geofence.ts";
import type { AssetId, GeofenceId, ProjectId } from "../../domain/ids.ts";
import { accuracyOr } from "../../ingest/geofence/accuracy.ts";
import type { FenceFix } from "../../ingest/geofence/crossing.ts";
import { FenceTimeline } from "../../ingest/geofence/fence-timeline.ts";
import { AssetRun } from "../../simulators/fleet/asset-run.ts";
import type { Measurement } from "../../simulators/fleet/device/measurement.ts";
import { plumbline } from "../../simulators/fleet/formats/plumbline.ts";
import { FLEET_DEFAULTS, type FleetOptions } from "../../simulators/fleet/options.ts";
import { planProjects } from "../../simulators/fleet/plan-fleet.ts";
import { measureLabel } from "../../simulators/fleet/setup.ts";
import type { Point } from "../../simulators/fleet/site/plane.ts";
import {
  createWorld,
  drawGrounds,
  planAssets,
  type WorldAsset,
} from "../../simulators/fleet/world/world.ts";
import { createRandom, type Random } from "../../simulators/randomness/random.ts";
import type { FleetTruth, TruthAsset } from "../../test/e2e/fleet-truth/truth.ts";

/** The fleet of `npm run test:fleet`, drawn without a service: its truth, fences and fixes. */
export interface FleetFixes {
  readonly truth: FleetTruth;
  readonly timeline: FenceTimeline;
  /** Fixes by asset, ascending in fix time. */
  readonly fixesByAsset: ReadonlyMap<string, readonly FenceFix[]>;
}

export interface FleetFixesPlan {
  readonly assets: number;
  readonly fences: number;
  readonly projects: number;
  readonly hours: number;
  /** Fixes per second and machine. */
  readonly rate: number;
  readonly seed: number;
  readonly startMs: number;
}

/** Lives the fleet for `hours` and yields what its devices measured. Memory grows with machines and hours. */
export function drawFleetFixes(plan: FleetFixesPlan): FleetFixes {
  const options = { ...FLEET_DEFAULTS, ...plan, url: "", key: "", outliers: true };
  const { startMs } = plan;
  const endMs = startMs + Math.round(plan.hours * 3_600) * 1_000;
  const random = createRandom(`fleet-${plan.seed}`);
  const projects = planProjects(random, options);
  const plans = planAssets(
    projects.map(({ id }) => id),
    plan.assets,
  );
  const grounds = drawGrounds(random, projects, plan.fences);
  const world = createWorld(random, grounds, plans, startMs);
  const timeline = new FenceTimeline();
  for (const { fences } of grounds) {
    timeline.apply(
      fences.map(({ id, projectId, polygon }) => {
        const ring = polygon.map(({ longitude, latitude }): LonLat => [longitude, latitude]);
        const [first] = ring;
        return {
          ...{ geofenceId: id as GeofenceId, projectId: projectId as ProjectId, name: id },
          ...{ kind: "zone", areaSqm: 1, alertOn: ["both"], rules: DEFAULT_CROSSING_RULES },
          ...{ validFromMs: 0, validToMs: undefined, revision: 1 },
          ring: first === undefined ? ring : [...ring, first],
        };
      }),
    );
  }
  const observed = world.assets.map((asset) => observe(asset, random, options, startMs));
  // All machines live the same second before the next: they wait for each other at bays.
  for (let atMs = startMs + 1_000; atMs <= endMs; atMs += 1_000) {
    for (const { run } of observed) run.step(atMs);
  }
  for (const { plan: asset } of world.assets) {
    const assetId = asset.id as AssetId;
    const projectId = asset.projectId as ProjectId;
    timeline.assign(assetId, [{ assetId, projectId, validFromMs: 0, validToMs: undefined }]);
  }
  const drawn = observed.map((one) => fixesAndTruth(one, startMs));
  return {
    truth: {
      startMs,
      endMs,
      fences: grounds.flatMap(({ fences }) =>
        fences.map(({ id, projectId, ring }) => ({ id, projectId, ring })),
      ),
      assets: drawn.map(({ truth }) => truth),
    },
    timeline,
    fixesByAsset: new Map(drawn.map(({ truth, fixes }) => [truth.id, fixes])),
  };
}

/** A machine of the world with what it did and what its device measured. */
interface Observed {
  readonly asset: WorldAsset;
  readonly run: AssetRun;
  readonly measured: readonly Measurement[];
  /** Where it was at the start and at every second after. */
  readonly points: readonly Point[];
}

function observe(
  asset: WorldAsset,
  random: Random,
  limits: FleetOptions,
  startMs: number,
): Observed {
  const measured: Measurement[] = [];
  const points: Point[] = [asset.start];
  const run = new AssetRun({
    asset: {
      ...asset,
      machine: {
        step(atMs) {
          const tick = asset.machine.step(atMs);
          points.push(tick.motionAt(atMs).point);
          return tick;
        },
      },
    },
    format: {
      ...plumbline,
      encode(measurement) {
        measured.push(measurement);
        return "";
      },
    },
    random: random.fork(measureLabel(asset.plan.id, asset.plan.projectId)),
    limits,
    startMs,
    keepAll: true,
    track: undefined,
  });
  return { asset, run, measured, points };
}

function fixesAndTruth(
  { asset: { plan }, run, measured, points }: Observed,
  startMs: number,
): { readonly fixes: readonly FenceFix[]; readonly truth: TruthAsset } {
  const { habits, deeds, visits } = run.truth();
  const outliers = new Set(
    deeds.filter(({ what }) => what === "outlier").map(({ fromSeq }) => fromSeq),
  );
  const fixTimesMs: number[] = [];
  const fixes = measured.flatMap(({ location, deviceTimeMs, accuracyM, seq }): FenceFix[] => {
    if (location === undefined) return [];
    if (!outliers.has(seq)) fixTimesMs.push(deviceTimeMs - habits.clockSkewMs);
    const { latitude: latDeg, longitude: lonDeg } = location;
    return [
      { tMs: deviceTimeMs, lonDeg, latDeg, accuracyM: accuracyOr(accuracyM, undefined).meters },
    ];
  });
  const truth = {
    ...{ id: plan.id, projectId: plan.projectId, sigmaM: habits.sigmaM },
    accuracyM: fixes[0]?.accuracyM ?? accuracyOr(undefined, undefined).meters,
    clockSkewMs: habits.clockSkewMs,
    fixTimesMs,
    firstHeardMs: (fixes[0]?.tMs ?? Number.POSITIVE_INFINITY) - habits.clockSkewMs,
    visits,
    track: { timesMs: Float64Array.from(points, (_, i) => startMs + i * 1_000), points },
  };
  return { fixes, truth };
}
