import type { Forwarding } from "../../ingest/forwarding/forwarding.ts";
import type { ForwarderProgress } from "../../storage/ports/events/forwarders.ts";

/** How far each forwarder has come in all partitions of this process together. */
export function progressOfAll(
  forwardings: readonly Pick<Forwarding, "progress">[],
): readonly ForwarderProgress[] {
  const byForwarder = new Map<string, ForwarderProgress>();
  for (const one of forwardings.flatMap(({ progress }) => progress)) {
    const known = byForwarder.get(one.forwarderId);
    byForwarder.set(one.forwarderId, known === undefined ? one : together(known, one));
  }
  return [...byForwarder.values()];
}

function together(a: ForwarderProgress, b: ForwarderProgress): ForwarderProgress {
  const skipped: Record<string, number> = { ...a.skipped };
  for (const [reason, count] of Object.entries(b.skipped)) {
    skipped[reason] = (skipped[reason] ?? 0) + count;
  }
  return {
    ...a,
    sent: a.sent + b.sent,
    skipped,
    heldSinceMs: least(a.heldSinceMs, b.heldSinceMs),
    behind: a.behind && b.behind ? bothBehind(a.behind, b.behind) : (a.behind ?? b.behind),
  };
}

type Behind = NonNullable<ForwarderProgress["behind"]>;

const bothBehind = (a: Behind, b: Behind): Behind => ({
  records: a.records + b.records,
  sinceMs: Math.min(a.sinceMs, b.sinceMs),
});

/** The smaller of those that there are. */
const least = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
