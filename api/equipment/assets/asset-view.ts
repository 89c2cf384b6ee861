import type { AssetStatus } from "../../../domain/equipment/asset.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { Project } from "../../../domain/project.ts";
import type { AssetState, Fix } from "../../../ingest/asset-state/asset-state.ts";
import type { UtilizationNow } from "../../../ingest/asset-state/asset-status.ts";
import type { AssetEntry } from "../../../ingest/directories/asset-directory.ts";
import {
  livenessTimeoutS,
  reportingIntervalS,
} from "../../../ingest/liveness/reporting-interval.ts";
import type { Zone } from "../../dependencies/dependencies.ts";
import { percentOf } from "../../representations/percent.ts";
import type { Asset, AssetDetail, AssetLocation, Connection } from "./asset-schemas.ts";

/** An asset and what is known of it at one moment. */
export interface AssetNow {
  readonly entry: Pick<AssetEntry, "asset">;
  readonly project: Project;
  readonly state: AssetState | undefined;
  readonly zone: Zone | undefined;
  readonly status: AssetStatus;
  readonly utilizationToday: UtilizationNow;
}

/** The contract's asset: each of its fields is there, none of them is null (docs/rules.md#keys-and-requests). */
export function assetView(now: AssetNow): Asset {
  const { asset } = now.entry;
  const fix = now.state?.fix;
  const { latitude, longitude } = fix ?? asset.location ?? now.project.location;
  return {
    id: asset.id,
    name: asset.name,
    type: asset.type,
    status: now.status,
    location: { latitude, longitude },
    // An asset may have connected and sent nothing yet.
    last_update: now.state?.lastUpdateMs ? isoTime(now.state.lastUpdateMs) : asset.created_at,
    utilization_today: now.utilizationToday.percent,
    zone: now.zone?.name ?? "",
    heading: fix === undefined || fix.headingSource === "none" ? null : fix.heading,
    speed_kmh: fix === undefined || fix.speedSource === "none" ? null : fix.speedKmh,
    accuracy_meters: fix === undefined ? null : fix.accuracyMeters,
    last_fix_at: fix === undefined ? null : isoTime(fix.fixTimeMs),
    location_source: fix === undefined ? "registered" : "gnss",
    ...(fix?.isMocked === true ? { mocked: true } : {}),
    connection: connectionView(now.state),
    utilization: utilizationView(now.utilizationToday),
  };
}

function utilizationView({ lower, upper, basis, seen }: UtilizationNow): Asset["utilization"] {
  return { basis, lower, upper, seen_percent: percentOf(seen) };
}

export function assetDetailView(now: AssetNow): AssetDetail {
  const { asset } = now.entry;
  const latest = Object.entries(now.state?.latest ?? {}).map(([name, { value, fixTimeMs }]) => [
    name,
    { value, timestamp: isoTime(fixTimeMs) },
  ]);
  const identities = Object.entries(now.state?.identities ?? {}).map(
    ([name, { value, sinceMs }]) => [name, { value, timestamp: isoTime(sinceMs) }],
  );
  const gapsS = now.state?.reportGapsS ?? [];
  const intervalS = reportingIntervalS(asset, gapsS);
  return {
    ...assetView(now),
    project_id: asset.project_id,
    decoder: asset.decoder,
    ...(asset.decoder_options === undefined ? {} : { decoder_options: asset.decoder_options }),
    ...(asset.hardware_id === undefined ? {} : { hardware_id: asset.hardware_id }),
    ...machineOf(asset),
    maintenance: asset.maintenance,
    liveness_timeout_s: livenessTimeoutS(asset, gapsS),
    ...(intervalS === undefined ? {} : { reporting_interval_s: intervalS }),
    ...(asset.location === undefined ? {} : { registered_location: asset.location }),
    created_at: asset.created_at,
    updated_at: asset.updated_at,
    ...(now.state?.engineHours === undefined ? {} : { engine_hours: now.state.engineHours }),
    latest: Object.fromEntries(latest),
    identities: Object.fromEntries(identities),
    fault_codes: [...(now.state?.faults ?? [])],
  };
}

/** What is registered of the machine's plate. */
function machineOf({ make, model, serial_number }: AssetEntry["asset"]) {
  return {
    ...(make === undefined ? {} : { make }),
    ...(model === undefined ? {} : { model }),
    ...(serial_number === undefined ? {} : { serial_number }),
  };
}

function connectionView(state: AssetState | undefined): Connection {
  if (state === undefined) return { link: "unknown", status: "unknown" };
  const { connection, lastReceivedAtMs, fix } = state;
  const { link, linkSinceMs, status } = connection;
  return {
    link,
    ...(linkSinceMs === undefined ? {} : { link_since: isoTime(linkSinceMs) }),
    ...(lastReceivedAtMs === 0 ? {} : { last_message_at: isoTime(lastReceivedAtMs) }),
    ...(fix === undefined ? {} : { last_fix_at: isoTime(fix.fixTimeMs) }),
    status,
  };
}

/** The contract's asset location, without its history. */
export function locationView(
  assetId: AssetEntry["asset"]["id"],
  fix: Fix,
  zone: Zone | undefined,
): AssetLocation {
  return {
    asset_id: assetId,
    current: {
      latitude: fix.latitude,
      longitude: fix.longitude,
      accuracy_meters: fix.accuracyMeters,
      timestamp: isoTime(fix.fixTimeMs),
      speed_kmh: fix.speedKmh,
      heading: fix.heading,
      speed_source: fix.speedSource,
      heading_source: fix.headingSource,
      accuracy_source: fix.accuracySource,
      time_source: fix.timeSource,
      ...(fix.isMocked === true ? { mocked: true } : {}),
    },
    zone: { id: zone?.id ?? "", name: zone?.name ?? "" },
  };
}
