import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { PlanScope, ServiceRow } from "../../storage/ports/equipment/maintenance.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import type { AssetDirectory } from "./asset-directory.ts";
import { createPlanTimeline, type PlanInForce, type PlanSubject } from "./plan-timeline.ts";
import { TableFollower } from "./table-follower.ts";

/** Versions that ended before this are not needed: no reading in reach of a re-run is evaluated by them. */
const KEPT_MS = 6 * DAY_MS;
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
  // Services that were dealt with are in the assets' states; all plans are needed.
  const services = servicesSeen(await records.pipeline.shared());
  const directory = new StoredPlans({ records, assets, now, services });
  await directory.start();
  return directory;
}

class StoredPlans implements PlanDirectory {
  readonly #records: Pick<RecordStore, "maintenance">;
  readonly #assets: AssetDirectory;
  readonly #now: () => number;
  readonly #follower = new TableFollower(() => this.#follow());
  readonly #timeline = createPlanTimeline();
  /** Newest revisions that were read. */
  #services: number;
  #plans = 0;
  /** The newest revision after which services were asked for. */
  #askedAfter = 0;
  #planChanges: PlanChange[] = [];
  /** When the versions that were reported began, by scope and that time. */
  readonly #starts = new Map<string, number>();
  #serviceRows: ServiceRow[] = [];

  constructor(options: {
    readonly records: Pick<RecordStore, "maintenance">;
    readonly assets: AssetDirectory;
    readonly now: () => number;
    /** Services up to this revision were dealt with. */
    readonly services: number;
  }) {
    this.#records = options.records;
    this.#assets = options.assets;
    this.#now = options.now;
    this.#services = options.services;
  }

  start(): Promise<void> {
    return this.#follower.start();
  }

  inForce(assetId: AssetId, projectId: ProjectId, atMs: number): PlanInForce | undefined {
    if (this.#timeline.isEmpty) return undefined;
    const subject = this.#subjectOf(assetId, projectId);
    return subject && this.#timeline.at(subject, atMs);
  }

  changes(assetId: AssetId, projectId: ProjectId, fromMs: number, toMs: number): readonly number[] {
    const subject = this.#subjectOf(assetId, projectId);
    return subject === undefined ? [] : this.#timeline.changes(subject, fromMs, toMs);
  }

  ofScope(scope: PlanScope, atMs: number): PlanInForce | undefined {
    return this.#timeline.ofScope(scope, atMs);
  }

  get seen(): MaintenanceSeen {
    return { plans: this.#plans, services: this.#services };
  }

  changesAfter(plans: number): readonly PlanChange[] {
    return this.#planChanges.filter((change) => change.revision > plans);
  }

  servicesAfter(services: number): readonly ServiceRow[] {
    this.#askedAfter = Math.max(this.#askedAfter, services);
    return this.#serviceRows.filter((row) => row.revision > services);
  }

  refresh(): Promise<void> {
    return this.#follower.refresh();
  }

  close(): void {
    this.#follower.close();
  }

  async #follow(): Promise<void> {
    const versions = await this.#records.maintenance.plansSince(this.#plans);
    this.#timeline.apply(versions.rows);
    this.#plans = versions.revision;
    for (const { scope, validFromMs, validToMs, revision } of versions.rows) {
      const start = `${JSON.stringify(scope)} ${validFromMs}`;
      // Reported when it began, and once more when it ends; both at once where the poll came too
      // late.
      if (!this.#starts.has(start)) {
        this.#planChanges.push({ scope, atMs: validFromMs, revision });
      }
      if (validToMs !== undefined) this.#planChanges.push({ scope, atMs: validToMs, revision });
      this.#starts.set(start, validFromMs);
    }
    const recorded = await this.#records.maintenance.servicesSince(this.#services);
    this.#services = recorded.revision;
    this.#serviceRows.push(...recorded.rows);
    this.#forget(this.#now() - KEPT_MS);
  }

  #forget(keptMs: number): void {
    this.#timeline.forget(keptMs);
    this.#planChanges = this.#planChanges.filter(({ atMs }) => atMs > keptMs);
    for (const [start, atMs] of this.#starts) if (atMs <= keptMs) this.#starts.delete(start);
    this.#serviceRows = this.#serviceRows.filter(
      ({ revision, recordedAtMs }) => revision > this.#askedAfter || recordedAtMs > keptMs,
    );
  }

  #subjectOf(assetId: AssetId, projectId: ProjectId): PlanSubject | undefined {
    const assetType = this.#assets.find(assetId)?.asset.type;
    return assetType === undefined ? undefined : { assetId, projectId, assetType };
  }
}

/** How far every part of the pipeline had come with services at the last commits; 0 before any. */
function servicesSeen(shared: ReadonlyMap<string, string>): number {
  const seen = [...shared]
    .filter(([name]) => name.endsWith(MAINTENANCE_SEEN))
    .map(([, state]) => (JSON.parse(state) as MaintenanceSeen).services);
  return seen.length === 0 ? 0 : Math.min(...seen);
}
