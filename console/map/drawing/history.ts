import type { Draft } from "./draft.ts";

/** What was drawn, step by step. */
export interface DraftHistory {
  readonly past: readonly Draft[];
  readonly present: Draft;
  readonly future: readonly Draft[];
}

/** Steps that can be taken back. More would be of use to nobody; a draft of 1,000 corners has 60 KB. */
const MOST = 100;

export const beginHistory = (present: Draft): DraftHistory => ({ past: [], present, future: [] });

/** After a step; steps that were taken back are forgotten. */
export const afterStep = ({ past, present }: DraftHistory, next: Draft): DraftHistory => ({
  past: [...past, present].slice(-MOST),
  present: next,
  future: [],
});

export function undone(history: DraftHistory): DraftHistory {
  const { past, present, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future] };
}

export function redone(history: DraftHistory): DraftHistory {
  const { past, present, future } = history;
  const [next, ...later] = future;
  return next === undefined ? history : { past: [...past, present], present: next, future: later };
}
