import { hasPosition, type Reading } from "../../../domain/equipment/reading.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { Fix } from "../../asset-state/asset-state.ts";
import { KMH_PER_KNOT } from "../../decoders/fields/units.ts";
import type { AssetEntry } from "../../directories/asset-directory.ts";
import { traccarAttributes } from "./attributes.ts";
import type { TraccarPlace } from "./last-positions.ts";
import { knownNumericId, numericId } from "./numeric-id.ts";

/** `2020-05-07T09:48:18.770+0000`, as Traccar writes its times. */
const traccarTime = (ms: number): string => isoTime(ms).replace("Z", "+0000");

/** Not rounded: times 1.852 it is our figure again. */
const knots = (kmh: number): number => kmh / KMH_PER_KNOT;

/** Where a reading says that the asset was; `undefined`: it has no position. */
export function placeOf({ fields, fixTimeMs }: Reading): TraccarPlace | undefined {
  if (!hasPosition(fields)) return undefined;
  return { fixTimeMs, ...coordinates(fields), ...motionOf(fields) };
}

/** The same of an asset's newest fix. */
export function placeOfFix(fix: Fix): TraccarPlace {
  return {
    fixTimeMs: fix.fixTimeMs,
    latitude: fix.latitude,
    longitude: fix.longitude,
    altitude: null,
    speed: fix.speedSource === "none" ? null : knots(fix.speedKmh),
    course: fix.headingSource === "none" ? null : fix.heading,
    accuracy: fix.accuracyMeters,
  };
}

/**
 * One reading as the JSON text that a Traccar server posts with `forward.type=json`. `last` is where the
 * asset was when the reading itself has no position: Traccar repeats it as `outdated`.
 */
export function traccarMessage(
  reading: Reading,
  {
    asset,
    projectId,
    receivedAtMs,
    name,
    last,
  }: Pick<AssetEntry, "asset"> & {
    readonly projectId: string;
    readonly receivedAtMs: number;
    /** Names the reading, and is the same when it is sent again. */
    readonly name: string;
    readonly last: TraccarPlace;
  },
): string {
  const isOutdated = !hasPosition(reading.fields);
  const place = isOutdated ? { ...last, ...known(motionOf(reading.fields)) } : last;
  const deviceId = knownNumericId(asset.id);
  const id = numericId(name);
  const serverTime = traccarTime(receivedAtMs);
  return JSON.stringify({
    position: {
      id,
      attributes: traccarAttributes(reading),
      deviceId,
      type: null,
      protocol: asset.decoder,
      serverTime,
      deviceTime: traccarTime(reading.fixTimeMs),
      fixTime: traccarTime(place.fixTimeMs),
      outdated: isOutdated,
      valid: true,
      latitude: place.latitude,
      longitude: place.longitude,
      altitude: place.altitude,
      speed: place.speed,
      course: place.course,
      address: null,
      accuracy: place.accuracy,
      network: null,
    },
    device: {
      id: deviceId,
      attributes: { asset_id: asset.id, project_id: projectId },
      groupId: knownNumericId(projectId),
      name: asset.name,
      uniqueId: asset.hardware_id ?? asset.id,
      status: "online",
      lastUpdate: serverTime,
      positionId: id,
      phone: null,
      model: null,
      contact: null,
      category: asset.type,
      disabled: false,
    },
  });
}

type Fields = Reading["fields"];

const coordinates = (fields: Fields): Pick<TraccarPlace, "latitude" | "longitude"> => ({
  latitude: fields["latitude"] as number,
  longitude: fields["longitude"] as number,
});

function motionOf(fields: Fields): Omit<TraccarPlace, "fixTimeMs" | "latitude" | "longitude"> {
  const speedKmh = fields["speed_kmh"];
  return {
    altitude: fields["altitude_meters"] ?? null,
    speed: speedKmh === undefined ? null : knots(speedKmh),
    course: fields["heading"] ?? null,
    accuracy: fields["accuracy_meters"] ?? null,
  };
}

/** The members that are not null. */
function known<T extends object>(of: T): Partial<T> {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== null)) as Partial<T>;
}
