import { type Limit, limitsOf, type MaintenancePlan } from "../../domain/equipment/maintenance.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { PlanScope, PlanVersion } from "../../storage/ports/equipment/maintenance.ts";

/** A plan as it holds for an asset in `[fromMs, toMs)`. */
export interface PlanInForce {
  readonly plan: MaintenancePlan;
  readonly limits: readonly Limit[];
  /** The owner of the plan: the asset itself, or its type in its project. */
  readonly source: "asset" | "asset_type";
  /** When this version of the plan began, ms since the Unix epoch. */
  readonly validFromMs: number;
}

/** The asset that a plan is found for. */
export interface PlanSubject {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  readonly assetType: string;
}

/** Every plan and when it was in force, in memory. */
export interface PlanTimeline {
  /** Whether there is no plan at all. */
  readonly isEmpty: boolean;
  /** Inserts the versions, or replaces them by scope and start. */
  apply(versions: readonly PlanVersion[]): void;
  /** What held for the asset at `atMs`; its own plan wins whole over that of its type. */
  at(subject: PlanSubject, atMs: number): PlanInForce | undefined;
  /** What was kept for exactly this asset or type at `atMs`. */
  ofScope(scope: PlanScope, atMs: number): PlanInForce | undefined;
  /** The instants in `(fromMs, toMs]`, ascending, at which what holds for the asset changed. */
  changes(subject: PlanSubject, fromMs: number, toMs: number): readonly number[];
  /** Lets go of versions that ended at or before `beforeMs`. */
  forget(beforeMs: number): void;
}

/** One version; `held` is `undefined` where the plan was removed. */
interface Held {
  readonly held: PlanInForce | undefined;
  readonly validFromMs: number;
  readonly validToMs: number | undefined;
}

/** Versions of one scope, ascending by start. */
type Versions = readonly Held[];

const NONE: Versions = [];

export function createPlanTimeline(): PlanTimeline {
  const byAsset = new Map<AssetId, Versions>();
  const byType = new Map<ProjectId, Map<string, Versions>>();

  const ofType = ({ projectId, assetType }: PlanSubject): Versions =>
    byType.get(projectId)?.get(assetType) ?? NONE;

  function put(scope: PlanScope, insert: (before: Versions) => Versions): void {
    if ("assetId" in scope) {
      byAsset.set(scope.assetId, insert(byAsset.get(scope.assetId) ?? NONE));
      return;
    }
    const types = byType.get(scope.projectId) ?? new Map<string, Versions>();
    byType.set(scope.projectId, types);
    types.set(scope.assetType, insert(types.get(scope.assetType) ?? NONE));
  }

  return {
    get isEmpty() {
      return byAsset.size === 0 && byType.size === 0;
    },
    apply(versions) {
      for (const version of versions) {
        const held = heldOf(version);
        put(version.scope, (before) =>
          [...before.filter((one) => one.validFromMs !== held.validFromMs), held].toSorted(
            (a, b) => a.validFromMs - b.validFromMs,
          ),
        );
      }
    },
    at(subject, atMs) {
      return inForce(byAsset.get(subject.assetId) ?? NONE, atMs) ?? inForce(ofType(subject), atMs);
    },
    ofScope(scope, atMs) {
      const versions =
        "assetId" in scope
          ? byAsset.get(scope.assetId)
          : byType.get(scope.projectId)?.get(scope.assetType);
      return inForce(versions ?? NONE, atMs);
    },
    changes(subject, fromMs, toMs) {
      const all = [...(byAsset.get(subject.assetId) ?? NONE), ...ofType(subject)];
      const instants = all.flatMap(({ validFromMs, validToMs }) => [
        validFromMs,
        ...(validToMs === undefined ? [] : [validToMs]),
      ]);
      return [...new Set(instants)]
        .filter((atMs) => atMs > fromMs && atMs <= toMs)
        .toSorted((a, b) => a - b);
    },
    forget(beforeMs) {
      const isKept = ({ validToMs }: Held) => validToMs === undefined || validToMs > beforeMs;
      forgetIn(byAsset, isKept);
      for (const [projectId, types] of byType) {
        forgetIn(types, isKept);
        if (types.size === 0) byType.delete(projectId);
      }
    },
  };
}

function inForce(versions: Versions, atMs: number): PlanInForce | undefined {
  const version = versions.findLast((one) => one.validFromMs <= atMs);
  if (version === undefined) return undefined;
  return version.validToMs === undefined || atMs < version.validToMs ? version.held : undefined;
}

function heldOf({ scope, plan: text, validFromMs, validToMs }: PlanVersion): Held {
  if (text === undefined) return { held: undefined, validFromMs, validToMs };
  // Written by the API after the check, into our own table.
  const plan = JSON.parse(text) as MaintenancePlan;
  const source = "assetId" in scope ? "asset" : "asset_type";
  return {
    held: { plan, limits: limitsOf(plan), source, validFromMs },
    validFromMs,
    validToMs,
  };
}

function forgetIn<Key>(map: Map<Key, Versions>, isKept: (version: Held) => boolean): void {
  for (const [key, versions] of map) {
    const kept = versions.filter(isKept);
    if (kept.length === 0) map.delete(key);
    else if (kept.length < versions.length) map.set(key, kept);
  }
}
