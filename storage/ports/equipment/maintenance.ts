import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { Changes } from "./changes.ts";

/** Whom a maintenance plan is for: one asset, or every asset of a type in a project that has none of its own. */
export type PlanScope =
  | { readonly assetId: AssetId }
  | { readonly projectId: ProjectId; readonly assetType: string };

/** A plan in force: its JSON text, and when it began, ms since the Unix epoch. */
export interface HeldPlan {
  readonly plan: string;
  readonly validFromMs: number;
}

/** A plan as it was in force in `[validFromMs, validToMs)`. */
export interface PlanVersion {
  readonly scope: PlanScope;
  /** JSON text of `MaintenancePlan` (domain/equipment/maintenance.ts); opaque to the store. `undefined`: the plan was removed. */
  readonly plan: string | undefined;
  readonly validFromMs: number;
  readonly validToMs: number | undefined;
  /** Rises with every change of any plan or service. */
  readonly revision: number;
}

/** A service that a person recorded. */
export interface ServiceRow {
  readonly id: string;
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  /** The plan's item that was done. */
  readonly item: string;
  /** When the work was done, ms since the Unix epoch. */
  readonly servicedAtMs: number;
  readonly recordedAtMs: number;
  /** Meters at the service; what the next interval is counted from. `undefined`: not known. */
  readonly engineHours: number | undefined;
  readonly hoursSource: "machine" | "accumulated" | "stated" | undefined;
  readonly odometerKm: number | undefined;
  readonly note: string | undefined;
  readonly revision: number;
}

export interface MaintenanceRecords {
  /**
   * Ends the plan in force and begins the next; `plan` undefined removes it. The same plan again changes nothing.
   * `check` gets the plan in force, in the transaction of the change; what it throws leaves all as it was.
   */
  putPlan(
    scope: PlanScope,
    plan: string | undefined,
    atMs: number,
    check?: (before: HeldPlan | undefined) => void,
  ): Promise<void>;
  /** Plan versions that began or ended after `revision`, by rising revision. */
  plansSince(revision: number): Promise<Changes<PlanVersion>>;
  recordService(service: Omit<ServiceRow, "revision">): Promise<ServiceRow>;
  /** Newest first. */
  services(
    assetId: AssetId,
    page: {
      readonly item?: string;
      /** From its other end. */
      readonly isReversed?: boolean;
      readonly limit: number;
      readonly offset: number;
    },
  ): Promise<{ readonly services: readonly ServiceRow[]; readonly total: number }>;
  /** Services recorded after `revision`, by rising revision: what the pipeline follows. */
  servicesSince(revision: number): Promise<Changes<ServiceRow>>;
  /** Sum of metres over all days of one asset. */
  distanceM(assetId: AssetId): Promise<number>;
}
