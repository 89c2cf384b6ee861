import type { ProjectId } from "../../domain/ids.ts";
import type { MaintenancePlan } from "../../domain/maintenance.ts";
import type { AssetEntry } from "../asset-directory.ts";
import type { AssetTrack } from "../pipeline/asset-track.ts";
import { applyLimitRules } from "../pipeline/limit-rule-changes.ts";
import type { ReadingContext, Stage, StageOutput, TickContext } from "../pipeline/stage.ts";
import { limitRules } from "../pipeline/track-rules.ts";
import type { VisitNames } from "../pipeline/visit-telling.ts";
import { dropFaults, takeFaults } from "./fault-telling.ts";
import { metersNow } from "./maintenance-view.ts";
import { MAINTENANCE_SEEN, type MaintenanceSeen, type PlanDirectory } from "./plan-directory.ts";
import { dropServices, takeService, watchServices } from "./service-watch.ts";
import type { WatchedAsset } from "./watched-asset.ts";

/** How often services are looked at, ms of journalled time: no interval is shorter than an hour. Chosen. */
const LOOK_MS = 60_000;

/** What the stage shares: how far it had come at a commit. */
interface Seen extends MaintenanceSeen {
  /** The tick of the last look at all services, ms since the Unix epoch. */
  readonly lookedAtMs: number;
}

/** Where a plan is looked up. */
export interface MaintenanceSources {
  readonly plans: Omit<PlanDirectory, "ofScope" | "refresh" | "close">;
  readonly names: VisitNames;
}

/** Faults with every reading that has a list of them, services with the ticks of the journal. */
export function createMaintenanceStage({ plans, names }: MaintenanceSources): Stage {
  let seen: Seen = { plans: 0, services: 0, lookedAtMs: 0 };

  const watched = (track: AssetTrack, projectId = track.projectId): WatchedAsset => ({
    assetId: track.assetId,
    projectId,
    name: names.asset(track.assetId),
    state: track.maintenance,
  });

  function onReading({ track, reading, output }: ReadingContext): void {
    const { faults: list, fixTimeMs, payloadHash } = reading;
    // Nearly always: the machine says that there are none, again.
    if (list === undefined || (list.length === 0 && track.maintenance.faults.size === 0)) return;
    const plan = plans.inForce(track.assetId, track.projectId, fixTimeMs)?.plan;
    // Live state has just taken the list, or has it from a newer reading.
    const isNewest = track.faults === list;
    takeFaults(watched(track), { list, fixTimeMs, payloadHash, isNewest }, plan, output);
  }

  function onTick(context: TickContext): void {
    const { atMs, directory, output } = context;
    const before = seen;
    for (const service of plans.servicesAfter(seen.services)) {
      const entry = directory.find(service.assetId);
      // The service of an asset that was removed since is history only.
      if (entry !== undefined) takeServiceOf(entry, service, context);
      seen = { ...seen, services: service.revision };
    }
    applyPlanChanges(context);
    const isDue = Math.abs(atMs - seen.lookedAtMs) >= LOOK_MS;
    if (isDue || plans.seen.plans !== seen.plans || seen.services !== before.services) {
      lookAtAll(context);
      seen = { ...seen, plans: plans.seen.plans, lookedAtMs: atMs };
    }
    if (seen !== before) output.share(MAINTENANCE_SEEN, JSON.stringify(seen));
  }

  /** Limits that the plan has no more, or has otherwise, end without waiting for a reading. */
  function applyPlanChanges({ tracks, directory, output }: TickContext): void {
    const changes = plans.changesAfter(seen.plans);
    if (changes.length === 0) return;
    for (const track of tracks) {
      const type = directory.find(track.assetId)?.asset.type;
      const instantsMs = changes
        .filter(({ scope }) =>
          "assetId" in scope
            ? scope.assetId === track.assetId
            : scope.projectId === track.projectId && scope.assetType === type,
        )
        .map(({ atMs }) => atMs);
      applyLimitRules(track, instantsMs, limitRules(track, plans), { output, names });
    }
  }

  function takeServiceOf(
    { asset }: AssetEntry,
    service: Parameters<typeof takeService>[1],
    { atMs, trackOf, output }: TickContext,
  ): void {
    const track = trackOf(asset);
    const plan = plans.inForce(asset.id, asset.project_id, atMs)?.plan;
    const { own, meters } = metersNow(track);
    track.maintenance.meters = own;
    takeService(watched(track, asset.project_id), service, plan, meters, output);
    output.touch(track);
  }

  function lookAtAll(context: TickContext): void {
    const { atMs, tracks, trackOf, directory, output } = context;
    for (const { asset } of directory.entries()) {
      const plan = plans.inForce(asset.id, asset.project_id, atMs)?.plan;
      // Also an asset that was never heard of: its services by days fall due all the same.
      if (plan?.services?.length) look(trackOf(asset), asset.project_id, plan, context);
    }
    for (const track of tracks) {
      const asset = directory.find(track.assetId)?.asset;
      if (asset === undefined) {
        drop(track, atMs, output);
      } else if (track.maintenance.services.size > 0) {
        const plan = plans.inForce(asset.id, asset.project_id, atMs)?.plan;
        if (!plan?.services?.length) look(track, asset.project_id, plan, context);
      }
    }
  }

  function look(
    track: AssetTrack,
    projectId: ProjectId,
    plan: MaintenancePlan | undefined,
    { atMs, output }: TickContext,
  ): void {
    const before = track.maintenance.meters;
    const { own, meters } = metersNow(track);
    track.maintenance.meters = own;
    // What a meter shows is read again after a restart; that it was replaced must be remembered.
    const wasReplaced =
      own.hours?.offset !== before.hours?.offset || own.km?.offset !== before.km?.offset;
    const hasChanged = watchServices(watched(track, projectId), plan, meters, atMs, output);
    if (hasChanged || wasReplaced) output.touch(track);
  }

  function drop(track: AssetTrack, atMs: number, output: StageOutput): void {
    const { faults, services } = track.maintenance;
    const hasAlerts = [...services.values()].some(({ alert }) => alert !== undefined);
    if (faults.size === 0 && !hasAlerts) return;
    dropFaults(watched(track), atMs, output);
    dropServices(watched(track), atMs, output);
    output.touch(track);
  }

  return {
    name: MAINTENANCE_SEEN,
    restore: (state) => {
      seen = JSON.parse(state) as Seen;
    },
    onReading,
    onTick,
  };
}
