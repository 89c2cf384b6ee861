import type { Alert } from "../api/live-messages.ts";

/** Open alerts by id, and how many there are with those that the answer left out. */
export interface OpenList {
  readonly open: ReadonlyMap<string, Alert>;
  readonly total: number;
}

/** A list of open alerts after one of them, or another one, changed. */
export function afterChange({ open, total }: OpenList, alert: Alert): OpenList {
  const next = new Map(open);
  const wasOpen = next.delete(alert.id);
  const isOpen = alert.status === "open";
  if (isOpen) next.set(alert.id, alert);
  const change = Number(isOpen) - Number(wasOpen);
  return { open: next, total: Math.max(next.size, total + change) };
}

/**
 * What an answer of the service says, and what the live stream brought while it was on its way: the answer may be
 * older than that.
 */
export function openListOf(
  answered: readonly Alert[],
  total: number,
  meanwhile: readonly Alert[],
): OpenList {
  const answer: OpenList = { open: new Map(answered.map((alert) => [alert.id, alert])), total };
  return meanwhile.reduce(afterChange, answer);
}
