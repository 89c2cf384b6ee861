import type { NewEvent } from "../../domain/events/events.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AlertUpsert } from "./equipment/alerts.ts";
import type { QuarantineEntry } from "./equipment/quarantine.ts";
import type { AssetStateRow } from "./equipment/state-changes.ts";
import type { Visit } from "./equipment/visits.ts";
import type { JournalPosition } from "./journal.ts";
import type { Lease } from "./platform/leases.ts";

/** What one asset did on one local day of its project. */
export interface UtilizationDay {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  /** Local calendar date of the project, YYYY-MM-DD. */
  readonly day: string;
  /** Working seconds inside the shift. */
  readonly workingS: number;
  /** Working seconds outside the shift. */
  readonly overtimeS: number;
  readonly engineOnS: number;
  readonly distanceM: number;
  /** How the figures came about, as the pipeline packs it; `undefined` for a day stored before that was kept. */
  readonly usage?: readonly number[] | undefined;
}

/** Everything one step of the pipeline changes; stored in one transaction with the checkpoint. */
export interface PipelineCommit {
  readonly checkpoint: JournalPosition;
  readonly states: readonly AssetStateRow[];
  readonly days: readonly UtilizationDay[];
  readonly quarantined: readonly QuarantineEntry[];
  readonly events: readonly NewEvent[];
  /** Visits as they are now; a row of the same id is replaced. */
  readonly visits: readonly Visit[];
  /** Alerts as they are now; acknowledgements stay. */
  readonly alerts: readonly AlertUpsert[];
  /** State of stages that belongs to no asset, by name; JSON text. */
  readonly shared: ReadonlyMap<string, string>;
  /** Absent: of the only pipeline there is. */
  readonly node?: NodeCommit;
}

/** What one of several pipelines adds to its commits. */
export interface NodeCommit {
  /** Whose checkpoint it is. */
  readonly id: string;
  /** Must be held when the commit ends, or nothing of it is stored. */
  readonly leases: readonly Lease[];
}

export interface PipelineRecords {
  /** Of the given one of several pipelines; without an id, of the only one. */
  checkpoint(nodeId?: string): Promise<JournalPosition | undefined>;
  /** Of assets that are, or were until they were deleted, in these projects; absent: of all assets. */
  states(projectIds?: readonly ProjectId[]): Promise<readonly AssetStateRow[]>;
  /** What was committed as `shared`, by name. */
  shared(): Promise<ReadonlyMap<string, string>>;
  /** Stores states under these names, without a checkpoint. */
  share(states: ReadonlyMap<string, string>): Promise<void>;
  /** Days of one asset in `[fromDay, toDay]`, ascending. */
  days(assetId: AssetId, fromDay: string, toDay: string): Promise<readonly UtilizationDay[]>;
  /** Days of several assets in `[fromDay, toDay]`, by asset, ascending. */
  daysOf(
    assetIds: readonly AssetId[],
    fromDay: string,
    toDay: string,
  ): Promise<readonly UtilizationDay[]>;
  /** Sum of engine-on seconds over all days of one asset. */
  engineOnS(assetId: AssetId): Promise<number>;
  /**
   * One transaction: all of it or nothing. Events and quarantine entries that exist are left alone;
   * states, days, visits, alerts and shared states are replaced.
   * @throws DomainError `LEASE_LOST` when a lease of `node` is not held.
   */
  commit(change: PipelineCommit): Promise<void>;
}
