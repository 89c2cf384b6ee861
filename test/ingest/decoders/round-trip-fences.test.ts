import { beforeAll, describe, expect, it } from "vitest";
import type { LonLat } from "../../../domain/geometry/geofence.ts";
import { decoderOfFormat } from "../../../ingest/decoders/registry.ts";
import { accuracyOr } from "../../../ingest/geofence/accuracy.ts";
import type { FenceFix } from "../../../ingest/geofence/crossing.ts";
import { Device } from "../../../simulators/fleet/device/device.ts";
import type { FleetFormat } from "../../../simulators/fleet/device/format.ts";
import { type DeviceHabits, drawHabits } from "../../../simulators/fleet/device/habits.ts";
import type { Message } from "../../../simulators/fleet/device/message.ts";
import { plumbline } from "../../../simulators/fleet/formats/plumbline.ts";
import type { Fence } from "../../../simulators/fleet/site/fences.ts";
import { createRandom } from "../../../simulators/randomness/random.ts";
import { buildWorld, live, START_MS } from "../../simulators/scene.ts";
import { rectangle, siteOf } from "../geofence/site.ts";
import { foldFixes } from "../geofence/walk.ts";
import { decodeAll, RESOLUTIONS } from "./round-trip.ts";
import { SOLE_FORMATS } from "./round-trip-sparkplug.ts";

const MACHINES = 4;
const HOURS = 1;
/** One fix in so many seconds, off the whole second by 0.3 s. */
const EVERY_S = 5;
const PHASE_MS = 300;

/**
 * Noise as real receivers have it, and no accuracy. A format that cannot carry one is assumed to be as exact
 * as any other then, so that only the rounding of place and time differs.
 */
const habits: DeviceHabits = {
  ...drawHabits(createRandom("plain"), {
    clean: true,
    reportsAccuracy: false,
    outliers: false,
    rate: 1 / EVERY_S,
  }),
  sigmaM: 2,
  liveBatch: 1,
};

interface ShownCrossing {
  readonly what: string;
  readonly atMs: number;
}

/** The geofence crossings of every machine of one simulated world that speaks `format`. */
function crossingsOf(format: FleetFormat): readonly ShownCrossing[] {
  const world = buildWorld(5, MACHINES, { fences: 9 });
  const devices = world.assets.map(
    ({ plan, site }) =>
      new Device({
        random: createRandom(`device-${plan.id}`),
        id: plan.id,
        format,
        habits,
        site,
        carriesPayload: plan.spec.carriesPayload,
        startMs: START_MS,
        onDeed: () => {},
        keepSkipped: false,
      }),
  );
  const heard = world.assets.map((): Message[] => []);
  live(world, HOURS * 3_600, (tick, _asset, i) => {
    if (((tick.fromMs - START_MS) / 1_000) % EVERY_S !== 0) return;
    heard[i]?.push(...(devices[i]?.sample(tick, tick.fromMs + PHASE_MS) ?? []));
  });
  const fences = siteOf(...(world.grounds[0]?.fences ?? []).map(versionOf));
  return heard.flatMap((messages, i) =>
    foldFixes(fences, fixesOf(format, messages)).crossings.map(
      ({ fence, type, cause, ...crossing }) => ({
        what: `machine ${i} ${type} ${fence.geofenceId} ${cause}${crossing.inferred ? " inferred" : ""}`,
        atMs: crossing.atMs,
      }),
    ),
  );
}

function fixesOf(format: FleetFormat, messages: readonly Message[]): readonly FenceFix[] {
  const decoder = decoderOfFormat(format.topicFormat) ?? expect.fail(`no ${format.name}`);
  return messages.flatMap(({ payload }) =>
    decodeAll(decoder, payload, START_MS).readings.map(({ deviceTimeMs, fields }) => ({
      tMs: deviceTimeMs ?? Number.NaN,
      lonDeg: fields["longitude"] ?? Number.NaN,
      latDeg: fields["latitude"] ?? Number.NaN,
      accuracyM: accuracyOr(fields["accuracy_meters"], fields["hdop"]).meters,
    })),
  );
}

function versionOf({ id, polygon }: Fence) {
  const ring = polygon.map(({ latitude, longitude }): LonLat => [longitude, latitude]);
  return { ...rectangle(id, [0, 0, 1, 1]), ring: [...ring, ...ring.slice(0, 1)] };
}

describe("geofence crossings of the same hour of the same machines", () => {
  let own: readonly ShownCrossing[];
  beforeAll(() => {
    own = crossingsOf(plumbline);
  });

  it("is a good number of crossings", () => {
    expect(own.length).toBeGreaterThan(20);
  });

  it.each(
    SOLE_FORMATS.filter(({ name }) => name !== "plumbline"),
  )("crossings decoded from $name occur at the same fixes as in our own format", (format) => {
    const decoded = crossingsOf(format);

    expect(decoded.map(({ what }) => what)).toEqual(own.map(({ what }) => what));
    const cutMs = RESOLUTIONS[format.name]?.cutMs ?? Number.NaN;
    const earlyMs = decoded.map(({ atMs }, i) => (own[i]?.atMs ?? Number.NaN) - atMs);
    // Between two fixes the time follows from the places, which are rounded.
    expect(Math.min(...earlyMs)).toBeGreaterThanOrEqual(-1);
    expect(Math.max(...earlyMs)).toBeLessThanOrEqual(cutMs + 1);
  });
});
