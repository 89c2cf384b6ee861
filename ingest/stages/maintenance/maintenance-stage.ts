import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import type { MaintenancePlan } from "../../../domain/equipment/maintenance.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { MINUTE_MS } from "../../../domain/time.ts";
import type { AssetEntry } from "../../directories/asset-directory.ts";
import {
  MAINTENANCE_SEEN,
  type MaintenanceSeen,
  type PlanChange,
  type PlanDirectory,
} from "../../directories/plan-directory.ts";
import type { MaintenanceState } from "../../maintenance/maintenance-state.ts";
import type { AssetTrack } from "../../track/asset-track.ts";
import { applyLimitRules } from "../limit-rule-changes.ts";
import type { ReadingContext, Stage, StageOutput, TickContext } from "../stage.ts";
import { limitRules } from "../track-rules.ts";
import type { VisitNames } from "../visit-events.ts";
import { dropFaults, takeFaults } from "./fault-events.ts";
import { metersNow } from "./maintenance-view.ts";
import { dropServices, takeService, watchServices } from "./service-watch.ts";
import type { WatchedAsset } from "./watched-asset.ts";

/**
 * How often an asset's services are checked, ms of journalled time: no interval is shorter than an hour. Less
 * often reports a service later; more often costs work at every tick.
 */
const CHECK_EVERY_MS = 5 * MINUTE_MS;

/** What the stage shares: how far it had come at a commit. */
export interface MaintenanceShared extends MaintenanceSeen {
  /** The newest tick, ms since the Unix epoch. */
  readonly tickMs: number;
}

/** Where a plan is found. */
export interface MaintenanceSources {
  readonly plans: Omit<PlanDirectory, "ofScope" | "refresh" | "close">;
  readonly names: VisitNames;
}

/** Faults with every reading that has a list of them, services with the ticks of the journal. */
export class MaintenanceStage implements Stage {
  readonly #options: MaintenanceSources;
  #seen: MaintenanceShared = { plans: 0, services: 0, tickMs: 0 };
  readonly name = MAINTENANCE_SEEN;

  constructor(options: MaintenanceSources) {
    this.#options = options;
  }

  onReading({ track, reading, output }: ReadingContext): void {
    const { faults: list, fixTimeMs, payloadHash } = reading;
    // Nearly always: the machine says that there are none, again.
    if (list === undefined || (list.length === 0 && track.maintenance.faults.size === 0)) return;
    // What was wrong then says nothing of now; a count that rose meanwhile comes with the next list.
    if (reading.isHistorical === true) return;
    const plan = this.#options.plans.inForce(track.assetId, track.projectId, fixTimeMs)?.plan;
    // Live state has just taken the list, or has it from a newer reading.
    const isNewest = track.faults === list;
    takeFaults(this.#watched(track), { list, fixTimeMs, payloadHash, isNewest }, plan, output);
  }

  onTick(context: TickContext): void {
    const { atMs, directory, output } = context;
    const { services, tickMs } = this.#seen;
    const serviced = new Set<AssetId>();
    for (const service of this.#options.plans.servicesAfter(services)) {
      const entry = directory.find(service.assetId);
      // The service of an asset that was removed since is history only.
      if (entry !== undefined) this.#takeServiceOf(entry, service, context);
      serviced.add(service.assetId);
      this.#seen = { ...this.#seen, services: service.revision };
    }
    const changes = this.#options.plans.changesAfter(this.#seen.plans);
    if (changes.length > 0) this.#applyPlanChanges(changes, context);
    this.#checkDueAssets(
      (asset) =>
        isCheckDue(asset.id, tickMs, atMs) ||
        serviced.has(asset.id) ||
        changes.some((change) => concerns(change, asset)),
      context,
    );
    this.#seen = { ...this.#seen, plans: this.#options.plans.seen.plans, tickMs: atMs };
    output.share(MAINTENANCE_SEEN, JSON.stringify(this.#seen));
  }

  restore(state: string): void {
    this.#seen = JSON.parse(state) as MaintenanceShared;
  }

  merge(states: readonly string[]): string {
    const seen = states.map((state) => JSON.parse(state) as MaintenanceShared);
    const merged: MaintenanceShared = {
      plans: Math.min(...seen.map(({ plans }) => plans)),
      services: Math.min(...seen.map(({ services }) => services)),
      tickMs: Math.min(...seen.map(({ tickMs }) => tickMs)),
    };
    return JSON.stringify(merged);
  }

  #watched(track: AssetTrack, projectId = track.projectId): WatchedAsset {
    return {
      assetId: track.assetId,
      projectId,
      name: this.#options.names.asset(track.assetId),
      state: track.maintenance,
    };
  }

  /** Limits that the plan has no more, or has otherwise, end without waiting for a reading. */
  #applyPlanChanges(changes: readonly PlanChange[], context: TickContext): void {
    const { tracks, directory, output } = context;
    for (const track of tracks) {
      const asset = directory.find(track.assetId)?.asset;
      if (asset === undefined) continue;
      const concerning = changes.filter((change) => concerns(change, asset));
      const instantsMs = concerning.map(({ atMs }) => atMs);
      applyLimitRules(track, instantsMs, limitRules(track, this.#options.plans), {
        output,
        names: this.#options.names,
      });
    }
  }

  #takeServiceOf(
    { asset }: AssetEntry,
    service: Parameters<typeof takeService>[1],
    { atMs, trackOf, output }: TickContext,
  ): void {
    const track = trackOf(asset);
    const plan = this.#options.plans.inForce(asset.id, asset.project_id, atMs)?.plan;
    const { own, meters } = metersNow(track);
    track.maintenance.meters = own;
    takeService(this.#watched(track, asset.project_id), service, plan, meters, output);
    output.touch(track);
  }

  /** Checks every asset for which `isDue` returns true. */
  #checkDueAssets(isDue: (asset: AssetRegistration) => boolean, context: TickContext): void {
    const { atMs, tracks, trackOf, directory, output } = context;
    const planOf = ({ id, project_id }: AssetRegistration) =>
      this.#options.plans.inForce(id, project_id, atMs)?.plan;
    for (const { asset } of directory.entries()) {
      if (!isDue(asset)) continue;
      const plan = planOf(asset);
      // Also an asset that was never heard of: its services by days fall due all the same.
      if (hasServices(plan)) this.#check(trackOf(asset), asset.project_id, plan, context);
    }
    for (const track of tracks) {
      if (!isWatching(track.maintenance)) continue;
      const asset = directory.find(track.assetId)?.asset;
      if (asset === undefined) {
        this.#drop(track, atMs, output);
      } else if (isDue(asset)) {
        const plan = planOf(asset);
        if (!hasServices(plan)) this.#check(track, asset.project_id, plan, context);
      }
    }
  }

  #check(
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
    const hasChanged = watchServices(this.#watched(track, projectId), plan, meters, atMs, output);
    if (hasChanged || wasReplaced) output.touch(track);
  }

  #drop(track: AssetTrack, atMs: number, output: StageOutput): void {
    dropFaults(this.#watched(track), atMs, output);
    dropServices(this.#watched(track), atMs, output);
    output.touch(track);
  }
}

/** Whether the asset's turn came between two ticks: one in {@link CHECK_EVERY_MS}, each asset at its own place in it. */
function isCheckDue(assetId: AssetId, tickMs: number, atMs: number): boolean {
  const phaseMs = spread(assetId) % CHECK_EVERY_MS;
  return (
    Math.floor((tickMs + phaseMs) / CHECK_EVERY_MS) !==
    Math.floor((atMs + phaseMs) / CHECK_EVERY_MS)
  );
}

/** A number of up to 31 bits that differs from id to id; simpler and faster than a checksum. */
function spread(assetId: AssetId): number {
  let sum = 0;
  for (let i = 0; i < assetId.length; i += 1) {
    sum = (Math.imul(sum, 31) + assetId.charCodeAt(i)) & 0x7fff_ffff;
  }
  // Neighbours (truck-1, truck-2) far apart.
  return Math.imul(sum, 0x9e3779b1) >>> 1;
}

const hasServices = (plan: MaintenancePlan | undefined): boolean =>
  plan?.services !== undefined && plan.services.length > 0;

const isWatching = ({ faults, services }: MaintenanceState): boolean =>
  faults.size > 0 || services.size > 0;

const concerns = ({ scope }: PlanChange, { id, project_id, type }: AssetRegistration): boolean =>
  "assetId" in scope
    ? scope.assetId === id
    : scope.projectId === project_id && scope.assetType === type;
