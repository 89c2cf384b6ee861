import type { ProjectId } from "../../domain/ids.ts";
import type { LinkEnd } from "../journal-record/link-change.ts";
import { type Moment, type PackedMoment, packMoment, unpackMoment } from "./moment.ts";

/** What can be wrong, one for each of the three facts: link, data, fix. The worst first. */
export const FINDING_KINDS = ["offline", "silent", "gps_stuck"] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/**
 * `held`: not published yet, others may follow. `covered`: an outage of the project was published
 * instead. `left`: still away after that outage, held once more. `published`: it has an event and an
 * open alert.
 */
export type FindingPhase = "held" | "covered" | "left" | "published";

/**
 * Something is wrong with an asset. It ends with the next sign of life; the end is published if the
 * finding was.
 */
export interface Finding {
  /**
   * The last sign of life, server clock, ms: end of the last session, last message, last new position.
   * With asset and kind it identifies the finding.
   */
  readonly sinceMs: number;
  /** When it came true: the end of the session, or when the time ran out; server clock, ms. */
  readonly occurredAtMs: number;
  phase: FindingPhase;
  /** Since when it is held. */
  heldFrom: Moment;
  /** The asset's project when it was published; its alert stays there. */
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
  /**
   * Newest position: min(fix time, receive time), ms, so that a clock that runs ahead cannot hide a stuck position;
   * 0: none.
   */
  newestFixMs: number;
  /** When it last moved on, or when messages began again after a silence. */
  fixAt: Moment | undefined;
  readonly findings: Record<FindingKind, Finding | undefined>;
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
    findings: { offline: undefined, silent: undefined, gps_stuck: undefined },
    gapsS: [],
  };
}

/** Stored states name the phase `published` `told`. */
type PackedPhase = Exclude<FindingPhase, "published"> | "told";

type PackedFinding =
  | readonly [
      sinceMs: number,
      occurredAtMs: number,
      phase: PackedPhase,
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
  offline: PackedFinding,
  silent: PackedFinding,
  stuck: PackedFinding,
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
    packFinding(state.findings.offline),
    packFinding(state.findings.silent),
    packFinding(state.findings.gps_stuck),
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
    findings: {
      offline: unpackFinding(offline),
      silent: unpackFinding(silent),
      gps_stuck: unpackFinding(stuck),
    },
    gapsS: gapsS ?? [],
  };
}

function packFinding(finding: Finding | undefined): PackedFinding {
  if (finding === undefined) return null;
  const { sinceMs, occurredAtMs, phase, heldFrom, projectId } = finding;
  const packedPhase = phase === "published" ? "told" : phase;
  return [sinceMs, occurredAtMs, packedPhase, heldFrom.atMs, heldFrom.pausedMs, projectId];
}

function unpackFinding(packed: PackedFinding | undefined): Finding | undefined {
  if (packed === null || packed === undefined) return undefined;
  const [sinceMs, occurredAtMs, packedPhase, atMs, pausedMs, projectId] = packed;
  return {
    sinceMs,
    occurredAtMs,
    phase: packedPhase === "told" ? "published" : packedPhase,
    heldFrom: { atMs, pausedMs },
    projectId: projectId as ProjectId,
  };
}
