import type { ProjectId } from "../../domain/ids.ts";
import type { LinkEnd } from "../journal-record/link-change.ts";
import { type Moment, type PackedMoment, packMoment, unpackMoment } from "./moment.ts";

/** What can be wrong, one for each of the three facts: link, data, fix. The worst first. */
export const VERDICT_KINDS = ["offline", "silent", "gps_stuck"] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

/**
 * `held`: nobody was told yet, others may follow. `covered`: an outage of the project was told instead.
 * `left`: still away after that outage, held once more. `told`: it has an event and an open alert.
 */
export type VerdictPhase = "held" | "covered" | "left" | "told";

/** Something is wrong with an asset. It ends with the next sign of life, which is told if it was told. */
export interface Verdict {
  /**
   * The last sign of life, server clock, ms: end of the last session, last message, last new position.
   * With asset and kind it names the verdict.
   */
  readonly sinceMs: number;
  /** When it came true: the end of the session, or when the time ran out; server clock, ms. */
  readonly occurredAtMs: number;
  phase: VerdictPhase;
  /** Since when it is held. */
  heldFrom: Moment;
  /** The asset's project when it was told; its alert stays there. */
  projectId: ProjectId;
}

/** What liveness remembers of one asset; changed in place. */
export interface LivenessState {
  /** `unknown`: no session was seen yet, or the sessions are a foreign broker's. */
  link: "unknown" | "up" | "down";
  /** When it went up or down; `undefined` while unknown. */
  linkAt: Moment | undefined;
  /** How the last session ended; `restart`: with our own process. */
  linkEnd: LinkEnd | "restart" | undefined;
  /** When the newest message came. */
  heardAt: Moment | undefined;
  /** Newest position: min(fix time, receive time), ms, so that a clock that runs ahead hides no stand-still; 0: none. */
  newestFixMs: number;
  /** When it last moved on, or when messages began again after a silence. */
  fixAt: Moment | undefined;
  readonly verdicts: Record<VerdictKind, Verdict | undefined>;
  /** Time between its last messages, whole seconds, the newest last; replaced, never changed in place. */
  gapsS: readonly number[];
}

export function newLivenessState(): LivenessState {
  return {
    link: "unknown",
    linkAt: undefined,
    linkEnd: undefined,
    heardAt: undefined,
    newestFixMs: 0,
    fixAt: undefined,
    verdicts: { offline: undefined, silent: undefined, gps_stuck: undefined },
    gapsS: [],
  };
}

type PackedVerdict =
  | readonly [
      sinceMs: number,
      occurredAtMs: number,
      phase: VerdictPhase,
      heldFromMs: number,
      heldPausedMs: number,
      projectId: string,
    ]
  | null;

/** JSON value of a state, compact because it is written with every message of the asset. */
export type PackedLiveness = readonly [
  link: LivenessState["link"],
  linkAt: PackedMoment,
  linkEnd: Exclude<LivenessState["linkEnd"], undefined> | null,
  heardAt: PackedMoment,
  newestFixMs: number,
  fixAt: PackedMoment,
  offline: PackedVerdict,
  silent: PackedVerdict,
  stuck: PackedVerdict,
  /** Absent from states of before intervals were learned. */
  gapsS?: readonly number[],
];

export function packLiveness(state: LivenessState): PackedLiveness {
  return [
    state.link,
    packMoment(state.linkAt),
    state.linkEnd ?? null,
    packMoment(state.heardAt),
    state.newestFixMs,
    packMoment(state.fixAt),
    packVerdict(state.verdicts.offline),
    packVerdict(state.verdicts.silent),
    packVerdict(state.verdicts.gps_stuck),
    state.gapsS,
  ];
}

export function unpackLiveness(packed: PackedLiveness): LivenessState {
  const [link, linkAt, linkEnd, heardAt, newestFixMs, fixAt, offline, silent, stuck, gapsS] =
    packed;
  return {
    link,
    linkAt: unpackMoment(linkAt),
    linkEnd: linkEnd ?? undefined,
    heardAt: unpackMoment(heardAt),
    newestFixMs,
    fixAt: unpackMoment(fixAt),
    verdicts: {
      offline: unpackVerdict(offline),
      silent: unpackVerdict(silent),
      gps_stuck: unpackVerdict(stuck),
    },
    gapsS: gapsS ?? [],
  };
}

function packVerdict(verdict: Verdict | undefined): PackedVerdict {
  if (verdict === undefined) return null;
  const { sinceMs, occurredAtMs, phase, heldFrom, projectId } = verdict;
  return [sinceMs, occurredAtMs, phase, heldFrom.atMs, heldFrom.pausedMs, projectId];
}

function unpackVerdict(packed: PackedVerdict | undefined): Verdict | undefined {
  if (packed === null || packed === undefined) return undefined;
  const [sinceMs, occurredAtMs, phase, atMs, pausedMs, projectId] = packed;
  return {
    sinceMs,
    occurredAtMs,
    phase,
    heldFrom: { atMs, pausedMs },
    projectId: projectId as ProjectId,
  };
}
