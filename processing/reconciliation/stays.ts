import type { AssetId, VisitId } from "../../domain/ids.ts";
import type { Visit } from "../../storage/ports/equipment/visits.ts";
import { byAsset } from "./by-asset.ts";

/**
 * Visits of one machine this near to each other, ms, are one stay: nobody loads or tips elsewhere within a minute,
 * but a position on the fence's edge, or an edit of the fence, makes two visits of one. More joins two loads, less
 * counts one twice.
 */
export const FLICKER_MS = 60_000;

/** One stay of one machine in the fence. Times are fix times, ms since the Unix epoch. */
export interface Stay {
  readonly assetId: AssetId;
  /** In their order; more than one where visits were joined. */
  readonly visitIds: readonly VisitId[];
  readonly enteredMs: number;
  /** `undefined`: it is inside. */
  readonly exitedMs: number | undefined;
  /** `crossing`, or what else began and ended it (`VisitEnd.cause`). */
  readonly entryCause: string;
  readonly exitCause: string | undefined;
  /** Seen only as lines between fixes outside. */
  readonly inferred: boolean;
  /** End of the machine's stay before, and start of the one behind; infinite without one. */
  readonly freeFromMs: number;
  readonly freeToMs: number;
}

/** The stays that visits of one fence make, by machine and then by time. */
export function staysOf(visits: readonly Visit[]): readonly Stay[] {
  return [...byAsset(visits, ({ assetId }) => assetId)].flatMap(([assetId, own]) => {
    const groups = joined(
      own.toSorted((a, b) => a.entered.atMs - b.entered.atMs || a.ordinal - b.ordinal),
    );
    return groups.map((group, i) => ({
      assetId,
      ...stayOf(group),
      freeFromMs: groups[i - 1]?.at(-1)?.exited?.atMs ?? Number.NEGATIVE_INFINITY,
      freeToMs: groups[i + 1]?.[0].entered.atMs ?? Number.POSITIVE_INFINITY,
    }));
  });
}

type Group = [Visit, ...Visit[]];

/** Visits of one machine in the order of their entries, those of one stay together. */
function joined(visits: readonly Visit[]): readonly Group[] {
  const groups: Group[] = [];
  for (const visit of visits) {
    const last = groups.at(-1);
    const exitedMs = last?.at(-1)?.exited?.atMs ?? Number.NEGATIVE_INFINITY;
    if (last !== undefined && visit.entered.atMs - exitedMs <= FLICKER_MS) last.push(visit);
    else groups.push([visit]);
  }
  return groups;
}

function stayOf(group: Group) {
  const [first] = group;
  const last = group.at(-1) ?? first;
  return {
    visitIds: group.map(({ id }) => id),
    enteredMs: first.entered.atMs,
    exitedMs: last.exited?.atMs,
    entryCause: first.entered.cause,
    exitCause: last.exited?.cause,
    inferred: group.every(({ inferred }) => inferred),
  };
}
