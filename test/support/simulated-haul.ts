import type { Reading } from "../../domain/equipment/reading.ts";
import type { AssetId, GeofenceId, VisitId } from "../../domain/ids.ts";
import { isInside, type Point } from "../../simulators/fleet/site/plane.ts";
import type { Site } from "../../simulators/fleet/site/site.ts";
import { createRandom, type Random } from "../../simulators/randomness/random.ts";
import type { Visit } from "../../storage/ports/equipment/visits.ts";
import type { TelemetryPoint } from "../../storage/ports/telemetry-store.ts";
import { buildWorld, live, START_MS } from "../simulators/scene.ts";
import { payloadPoint } from "./hauling.ts";
import { squareFence } from "./square-fence.ts";
import { openTimelineRun, PROJECT, type TimelineRun } from "./timeline-run.ts";

const PERIOD_S = 10;
/** By axis, metres; white, so harder on a fence than the drift of a real receiver. */
const POSITION_SIGMA_M = 2.5;
/** On-board weighing: a machine's scale, each load in it, each reading on the move; shares of the payload. */
const WEIGHING = { scale: 0.01, load: 0.03, bounce: 0.05, zeroKg: 120 };

/** Dumpers of the fleet simulator at the fence around their dump, as the pipeline sees them. */
export interface SimulatedHaul {
  /** Visits of fence `f1`. */
  readonly visits: readonly Visit[];
  readonly points: readonly TelemetryPoint[];
  /** What was tipped within the fence by trucks that left it in `(fromMs, toMs]`. */
  readonly truth: { readonly loads: number; readonly t: number };
}

/** One machine: what is true of it, and how its scale is off. */
interface Machine {
  readonly run: TimelineRun;
  readonly random: Random;
  readonly scale: number;
  /** How the scale is off for the load that is on it. */
  loadFactor: number;
  payloadKg: number;
  tippedKg: number;
  inside: boolean;
}

/** Lets a site of ten machines live for `seconds` from `START_MS` on. */
export async function simulateHaul(
  seed: number,
  seconds: number,
  [fromMs, toMs]: readonly [number, number],
): Promise<SimulatedHaul> {
  const world = buildWorld(seed, 10, { fences: 2 });
  const ground = world.grounds[0];
  const fence = ground?.fences[1];
  if (ground === undefined || fence === undefined) throw new Error("the dump has no fence");
  const [first, ...others] = fence.polygon.map(
    ({ latitude, longitude }) => [longitude, latitude] as const,
  );
  if (first === undefined) throw new Error("the fence has no corners");
  const version = squareFence("f1", PROJECT, { ring: [first, ...others, first] });
  const random = createRandom(`weighing-${seed}`);
  const machines = world.assets.map((_, i) => newMachine(random.fork(`machine-${i}`)));
  const points: TelemetryPoint[] = [];
  const readings: (readonly [Machine, Reading])[] = [];
  const truth = { loads: 0, t: 0 };

  live(world, seconds, (tick, { plan, site }, i) => {
    const machine = machines[i];
    if (machine === undefined) return;
    const { point, payloadKg, speedMps } = tick.motionAt(tick.toMs);
    const { inside: wasInside, payloadKg: beforeKg } = machine;
    machine.inside = isInside(point, fence.ring);
    machine.payloadKg = payloadKg;
    if (payloadKg > beforeKg && beforeKg === 0) machine.loadFactor = drawLoadFactor(machine.random);
    if (machine.inside) machine.tippedKg += Math.max(0, beforeKg - payloadKg);
    if (wasInside && !machine.inside) {
      if (machine.tippedKg > 0 && tick.toMs > fromMs && tick.toMs <= toMs) {
        truth.loads += 1;
        truth.t += machine.tippedKg / 1_000;
      }
      machine.tippedKg = 0;
    }
    if ((tick.toMs - START_MS) % (PERIOD_S * 1_000) !== 0) return;
    readings.push([machine, fixOf(machine.random, site, point, tick.toMs)]);
    if (plan.spec.carriesPayload) {
      points.push(payloadPoint(plan.id, tick.toMs, weighedKg(machine, speedMps)));
    }
  });
  for (const [{ run }, reading] of readings) await run.take(reading);

  function newMachine(own: Random): Machine {
    const calendar = { time_zone: "UTC", shift: { start: "00:00", end: "24:00" } };
    const scale = 1 + WEIGHING.scale * own.gaussian();
    const empty = { loadFactor: 1, payloadKg: 0, tippedKg: 0, inside: false };
    return { run: openTimelineRun(calendar, [version]), random: own, scale, ...empty };
  }

  const visits = world.assets.flatMap(({ plan }, i) =>
    [...(machines[i]?.run.visits.values() ?? [])]
      .filter((visit) => !visit.withdrawn)
      .map((visit) => ({
        ...visit,
        // Every run has the same machine; here they are several.
        id: `${plan.id}-${visit.id}` as VisitId,
        assetId: plan.id as AssetId,
        geofenceId: "f1" as GeofenceId,
      })),
  );
  return { visits, points, truth };
}

const drawLoadFactor = (random: Random): number => 1 + WEIGHING.load * random.gaussian();

function weighedKg({ random, payloadKg, scale, loadFactor }: Machine, speedMps: number): number {
  const bounce = speedMps > 0 ? WEIGHING.bounce * random.gaussian() : 0;
  const zeroKg = WEIGHING.zeroKg * random.gaussian();
  return Math.max(0, Math.round(payloadKg * scale * loadFactor * (1 + bounce) + zeroKg));
}

function fixOf(random: Random, site: Site, point: Point, fixTimeMs: number): Reading {
  const location = site.frame.toLocation({
    eastM: point.eastM + POSITION_SIGMA_M * random.gaussian(),
    northM: point.northM + POSITION_SIGMA_M * random.gaussian(),
  });
  return {
    fixTimeMs,
    timeSource: "device",
    rawTimeMs: undefined,
    seq: -1,
    payloadHash: 0,
    fields: { ...location, accuracy_meters: 1.51 * POSITION_SIGMA_M },
    faults: undefined,
  };
}
