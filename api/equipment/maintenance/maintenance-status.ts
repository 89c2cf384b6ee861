import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { faultNames } from "../../../domain/equipment/fault-words.ts";
import type { MaintenancePlan } from "../../../domain/equipment/maintenance.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { LiveAssets } from "../../../ingest/asset-state/asset-state.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { PlanDirectory } from "../../../ingest/directories/plan-directory.ts";
import type { ActiveFault } from "../../../ingest/maintenance/fault-book.ts";
import {
  type Baseline,
  firstBaseline,
  meetMachineMeters,
  rounded,
  serviceBaseline,
  serviceStatus,
} from "../../../ingest/maintenance/service-due.ts";
import { severityOf } from "../../../ingest/stages/maintenance/fault-events.ts";
import {
  type MaintenanceView,
  NO_MAINTENANCE,
} from "../../../ingest/stages/maintenance/maintenance-view.ts";
import type { Exceedance } from "../../../ingest/track/exceedance.ts";
import type { ServiceRow } from "../../../storage/ports/equipment/maintenance.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleAsset } from "../../access/asset-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { AssetPath } from "../assets/asset-schemas.ts";
import {
  MaintenanceStatus,
  type OpenFault,
  type OpenLimit,
  type ServiceStatus,
} from "./maintenance-schemas.ts";

export interface MaintenanceStatusOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  readonly plans: PlanDirectory;
  readonly now: () => number;
}

/** Newest services that are read for those the pipeline has not processed yet; it processes them within one tick. */
const RECENT_SERVICES = 100;

/** GET /assets/{asset_id}/maintenance, mounted at `/api/v1/equipment`. */
const maintenanceStatus: FastifyPluginAsyncTypebox<MaintenanceStatusOptions> = async (
  app,
  { records, directory, live, plans, now },
) => {
  app.get(
    "/assets/:asset_id/maintenance",
    {
      config: { access: "equipment:read" },
      schema: {
        operationId: "getAssetMaintenance",
        tags: ["equipment"],
        summary: "Services of an asset that are due, limits that it exceeds, faults that it has",
        params: AssetPath,
        response: { 200: MaintenanceStatus, ...FAILURES },
      },
    },
    async (request) => {
      const { asset } = visibleAsset(directory, request, request.params.asset_id);
      const held = plans.inForce(asset.id, asset.project_id, Number.MAX_SAFE_INTEGER);
      const view = live.state(asset.id)?.maintenance ?? NO_MAINTENANCE;
      const services = await serviceStates(asset.id, held?.plan, held?.validFromMs ?? 0, view);
      const worst = (["due", "warning"] as const).find((status) =>
        services.some((service) => service.status === status),
      );
      const answer: MaintenanceStatus = {
        asset_id: asset.id,
        status: worst ?? "ok",
        ...(held === undefined ? {} : { plan_source: held.source }),
        services,
        limits: view.exceedances.map(limitView),
        faults: view.faults.map((fault) => faultView(fault, held?.plan)),
      };
      return answer;
    },
  );

  async function serviceStates(
    assetId: AssetId,
    plan: MaintenancePlan | undefined,
    planFromMs: number,
    view: MaintenanceView,
  ): Promise<ServiceStatus[]> {
    const items = plan?.services ?? [];
    if (items.length === 0) return [];
    const page = { limit: RECENT_SERVICES, offset: 0 };
    const recent = await records.maintenance.services(assetId, page);
    return items.map((item) => {
      const known = view.baselines.get(item.item);
      const newest = recent.services.find((service) => service.item === item.item);
      const counted = baselineOf(known, newest, view) ?? firstBaseline(planFromMs, view.meters);
      const baseline = meetMachineMeters(counted, view.meters);
      const { level, first, intervals } = serviceStatus(item, baseline, view.meters, now());
      return {
        item: item.item,
        name: item.name,
        status: level,
        used_percent: rounded(first.usedPercent),
        intervals: intervals.map(({ unit, every, used, remaining, usedPercent, source }) => ({
          unit,
          every,
          used: rounded(used),
          remaining: rounded(remaining),
          used_percent: rounded(usedPercent),
          source,
          ...(used === undefined ? { reason: UNKNOWN_USE[unit] } : {}),
        })),
        counted_from: isoTime(baseline.atMs),
        ...(baseline.serviceId === undefined ? {} : { last_service_id: baseline.serviceId }),
      };
    });
  }
};

/** What the pipeline counts from, unless a service was recorded since its last tick. */
function baselineOf(
  known: Baseline | undefined,
  newest: ServiceRow | undefined,
  { meters, own }: MaintenanceView,
): Baseline | undefined {
  if (newest === undefined || newest.id === known?.serviceId) return known;
  const isOlder = known?.serviceId !== undefined && newest.servicedAtMs < known.atMs;
  return isOlder ? known : serviceBaseline(newest, meters, own);
}

function limitView({ limit, exceeded }: Exceedance): OpenLimit {
  const { id, name, field, bound, level, clearAt, severity } = limit;
  return {
    id,
    name,
    field,
    [bound]: level,
    clear_at: clearAt,
    severity,
    since: isoTime(exceeded.atMs),
    ...(exceeded.value === undefined ? {} : { value: exceeded.value }),
  };
}

function faultView(
  { code, occurrences, sinceMs, lastSeenMs }: ActiveFault,
  plan: MaintenancePlan | undefined,
): OpenFault {
  return {
    ...code,
    ...faultNames(code),
    severity: severityOf(code, plan),
    occurrences,
    since: isoTime(sinceMs),
    last_seen: isoTime(lastSeenMs),
  };
}

/** Why the use of an interval is not known; days are always. */
const UNKNOWN_USE = {
  hours: "no hour meter was reported, and no time in which the engine ran or stood",
  km: "no odometer was reported, and no two positions to add up a distance from",
  days: "",
} as const;

export default maintenanceStatus;
