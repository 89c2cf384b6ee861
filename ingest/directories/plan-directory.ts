import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { PlanScope, ServiceRow } from "../../storage/ports/equipment/maintenance.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import type { AssetDirectory } from "./asset-directory.ts";
import { createPlanTimeline, type PlanInForce, type PlanSubject } from "./plan-timeline.ts";

/** Versions that ended before this are not needed: no reading in reach of a re-run is evaluated by them. */
const KEPT_MS = 6 * DAY_MS;
/** How often the directory polls for changes made by another process, ms. Chosen. */
const POLL_MS = 1_000;
/** Name under which the pipeline stores what it has seen (`PipelineCommit.shared`). */
export const MAINTENANCE_SEEN = "maintenance";

/** How far the pipeline had dealt with plans and services at a commit; revisions. */
export interface MaintenanceSeen {
  readonly plans: number;
  readonly services: number;
}

/** A version of a plan that began or ended. */
export interface PlanChange {
  readonly scope: PlanScope;
  /** ms since the Unix epoch. */
  readonly atMs: number;
  readonly revision: number;
}

/** Every maintenance plan in memory, and the services that the pipeline has yet to deal with. */
export interface PlanDirectory {
  /** What holds for an asset of that project at `atMs`; its own plan, else that of its type. */
  inForce(assetId: AssetId, projectId: ProjectId, atMs: number): PlanInForce | undefined;
  /** The instants in `(fromMs, toMs]`, ascending, at which that changed. */
  changes(assetId: AssetId, projectId: ProjectId, fromMs: number, toMs: number): readonly number[];
  /** The plan that is kept for exactly this asset or type. */
  ofScope(scope: PlanScope, atMs: number): PlanInForce | undefined;
  /** The newest revisions that were read. */
  readonly seen: MaintenanceSeen;
  /** Versions that began or ended after a revision, by rising revision. */
  changesAfter(plans: number): readonly PlanChange[];
  /** Services recorded after a revision, by rising revision; those that were dealt with days ago are let go of. */
  servicesAfter(services: number): readonly ServiceRow[];
  /** Reads what has changed in the record store; call after every write to plans or services. */
  refresh(): Promise<void>;
  close(): void;
}

/** Loads the directory and keeps following the record store. */
export async function openPlanDirectory(
  records: Pick<RecordStore, "maintenance" | "pipeline">,
  assets: AssetDirectory,
  now: () => number = Date.now,
): Promise<PlanDirectory> {
  const timeline = createPlanTimeline();
  // Services that were dealt with are in the assets' states; all plans are needed.
  let services = servicesSeen(await records.pipeline.shared());
  /** The newest revision after which services were asked for. */
  let askedAfter = 0;
  let plans = 0;
  let planChanges: PlanChange[] = [];
  const starts = new Map<string, number>();
  let serviceRows: ServiceRow[] = [];
  let running: Promise<void> | undefined;
  let again: Promise<void> | undefined;

  async function follow(): Promise<void> {
    const versions = await records.maintenance.plansSince(plans);
    timeline.apply(versions.rows);
    plans = versions.revision;
    for (const { scope, validFromMs, validToMs, revision } of versions.rows) {
      const start = `${JSON.stringify(scope)} ${validFromMs}`;
      // Reported when it began, and once more when it ends; both at once where the poll came too
      // late.
      if (!starts.has(start)) planChanges.push({ scope, atMs: validFromMs, revision });
      if (validToMs !== undefined) planChanges.push({ scope, atMs: validToMs, revision });
      starts.set(start, validFromMs);
    }
    const recorded = await records.maintenance.servicesSince(services);
    services = recorded.revision;
    serviceRows.push(...recorded.rows);
    const keptMs = now() - KEPT_MS;
    timeline.forget(keptMs);
    planChanges = planChanges.filter(({ atMs }) => atMs > keptMs);
    for (const [start, atMs] of starts) if (atMs <= keptMs) starts.delete(start);
    serviceRows = serviceRows.filter(
      ({ revision, recordedAtMs }) => revision > askedAfter || recordedAtMs > keptMs,
    );
  }

  /** One poll at a time; a call during a poll waits for the next one, which sees its write. */
  function refresh(): Promise<void> {
    if (running === undefined) {
      running = follow().finally(() => {
        running = undefined;
      });
      return running;
    }
    again ??= running
      .catch(() => undefined)
      .then(() => {
        again = undefined;
        return refresh();
      });
    return again;
  }

  function subjectOf(assetId: AssetId, projectId: ProjectId): PlanSubject | undefined {
    const assetType = assets.find(assetId)?.asset.type;
    return assetType === undefined ? undefined : { assetId, projectId, assetType };
  }

  await refresh();
  const timer = setInterval(() => {
    // The record store may be away; what is known goes on, and the next poll catches up.
    refresh().catch(() => undefined);
  }, POLL_MS);
  timer.unref();

  return {
    inForce(assetId, projectId, atMs) {
      if (timeline.isEmpty) return undefined;
      const subject = subjectOf(assetId, projectId);
      return subject && timeline.at(subject, atMs);
    },
    changes(assetId, projectId, fromMs, toMs) {
      const subject = subjectOf(assetId, projectId);
      return subject === undefined ? [] : timeline.changes(subject, fromMs, toMs);
    },
    ofScope: (scope, atMs) => timeline.ofScope(scope, atMs),
    get seen() {
      return { plans, services };
    },
    changesAfter: (revision) => planChanges.filter((change) => change.revision > revision),
    servicesAfter(revision) {
      askedAfter = Math.max(askedAfter, revision);
      return serviceRows.filter((row) => row.revision > revision);
    },
    refresh,
    close: () => clearInterval(timer),
  };
}

/** How far every part of the pipeline had come with services at the last commits; 0 before any. */
function servicesSeen(shared: ReadonlyMap<string, string>): number {
  const seen = [...shared]
    .filter(([name]) => name.endsWith(MAINTENANCE_SEEN))
    .map(([, state]) => (JSON.parse(state) as MaintenanceSeen).services);
  return seen.length === 0 ? 0 : Math.min(...seen);
}
