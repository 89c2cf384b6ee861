import { hasPosition, type Reading } from "../../domain/equipment/reading.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { Finding, FindingKind, LivenessState } from "./liveness-state.ts";
import { type Moment, watchedMs } from "./moment.ts";
import { withGap } from "./reporting-interval.ts";

/**
 * How much later the end of an older session may be journalled than the beginning of a newer one at another process,
 * ms. More would take a step of the clock for that.
 */
const MAX_OVERLAP_MS = 60_000;
/** How long a link is down before the asset is offline, ms. Chosen: a modem's reboot takes less. */
const OFFLINE_GRACE_MS = 60_000;

/** Called with a finding that a sign of life ended. */
export type OnEnd = (kind: FindingKind, finding: Finding) => void;

/** Takes in that the asset's link went up (`end` undefined) or down. */
export function takeLink(
  state: LivenessState,
  end: LivenessState["linkEnd"],
  at: Moment,
  onEnd: OnEnd,
): void {
  // Down already: a session in between was too short to be journalled.
  if (end !== undefined && state.link === "down") return;
  if (end !== undefined && end !== "restart" && isOlder(at, state.linkAt)) return;
  state.link = end === undefined ? "up" : "down";
  state.linkEnd = end;
  state.linkAt = at;
  if (end === undefined) endFinding(state, "offline", onEnd);
}

/** Whether an end came after a beginning that is newer: those that two processes journal may change places. */
function isOlder(endAt: Moment, linkAt: Moment | undefined): boolean {
  if (linkAt === undefined) return false;
  const sinceMs = watchedMs(linkAt, endAt);
  return sinceMs < 0 && sinceMs > -MAX_OVERLAP_MS;
}

/** Takes in that a message of the device came, with or without readings. */
export function takeHeard(state: LivenessState, at: Moment, onEnd: OnEnd): void {
  // Not for a message that is replayed from quarantine: the device did not speak now.
  if (state.heardAt !== undefined) {
    const gapMs = watchedMs(state.heardAt, at);
    if (gapMs <= 0) return;
    state.gapsS = withGap(state.gapsS, gapMs);
  }
  state.heardAt = at;
  // After a silence the receiver gets its whole time again to find its position.
  if (endFinding(state, "silent", onEnd) && state.fixAt !== undefined) state.fixAt = at;
}

/**
 * Takes in a reading by when it was received. One of a backlog is a sign of life all the same. Its
 * position is a new one only if its fix time is newer than every one before. A historical reading has
 * none: it says where the receiver was, not that it finds its position now.
 */
export function takeReading(
  state: LivenessState,
  { fixTimeMs, fields, isHistorical }: Pick<Reading, "fixTimeMs" | "fields" | "isHistorical">,
  at: Moment,
  onEnd: OnEnd,
): void {
  takeHeard(state, at, onEnd);
  if (isHistorical === true) return;
  const fixMs = Math.min(fixTimeMs, at.atMs);
  if (fixMs <= state.newestFixMs || !hasPosition(fields)) return;
  state.newestFixMs = fixMs;
  state.fixAt = at;
  endFinding(state, "gps_stuck", onEnd);
}

/**
 * Begins the findings whose time-out has passed; returns whether any began. An asset that was never
 * connected, never heard or never positioned has no finding on that fact.
 */
export function beginFindings(
  state: LivenessState,
  now: Moment,
  { timeoutMs, projectId }: { readonly timeoutMs: number; readonly projectId: ProjectId },
): boolean {
  const { findings, linkAt, heardAt, fixAt } = state;
  let began = false;
  if (findings.offline === undefined && state.link === "down" && linkAt !== undefined) {
    if (watchedMs(linkAt, now) >= OFFLINE_GRACE_MS) {
      findings.offline = held(linkAt.atMs, linkAt.atMs, now, projectId);
      began = true;
    }
  }
  if (heardAt === undefined) return began;
  if (findings.silent === undefined) {
    const overMs = watchedMs(heardAt, now) - timeoutMs;
    if (overMs >= 0) {
      findings.silent = held(heardAt.atMs, now.atMs - overMs, now, projectId);
      began = true;
    }
  }
  if (findings.gps_stuck === undefined && findings.silent === undefined && fixAt !== undefined) {
    // Up to the newest message, not up to now: without messages nothing is known of the receiver.
    const overMs = watchedMs(fixAt, heardAt) - timeoutMs;
    if (overMs >= 0) {
      findings.gps_stuck = held(fixAt.atMs, heardAt.atMs - overMs, now, projectId);
      began = true;
    }
  }
  return began;
}

const held = (
  sinceMs: number,
  occurredAtMs: number,
  heldFrom: Moment,
  projectId: ProjectId,
): Finding => ({ sinceMs, occurredAtMs, phase: "held", heldFrom, projectId });

/** Whether the asset is away: offline or silent, published or not. */
export const isAway = ({ findings }: LivenessState): boolean =>
  findings.offline !== undefined || findings.silent !== undefined;

function endFinding(state: LivenessState, kind: FindingKind, onEnd: OnEnd): boolean {
  const finding = state.findings[kind];
  if (finding === undefined) return false;
  state.findings[kind] = undefined;
  onEnd(kind, finding);
  return true;
}
