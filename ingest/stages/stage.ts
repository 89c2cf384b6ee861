import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { Reading, ReadingBatch } from "../../domain/equipment/reading.ts";
import type { NewEvent } from "../../domain/events/events.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { WorkCalendar } from "../../domain/local-time.ts";
import type { AlertUpsert } from "../../storage/ports/equipment/alerts.ts";
import type { Visit } from "../../storage/ports/equipment/visits.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { LinkChange } from "../journal-record/link-change.ts";
import type { AssetTrack } from "../track/asset-track.ts";

/** Where stages put what has to be stored; it is committed with the state that it belongs to. */
export interface StageOutput {
  raise(event: NewEvent): void;
  /** The alert as it is now. A critical one that is not resolved puts its asset into `maintenance`. */
  alert(alert: AlertUpsert): void;
  visit(visit: Visit): void;
  /** State of a stage that belongs to no asset, by the stage's name; JSON text. */
  share(name: string, state: string): void;
  /** Says that the track was changed and has to be stored. */
  touch(track: AssetTrack): void;
}

/** What the pipeline counts; monotonic. */
export interface PipelineCounters {
  readings: number;
  /** Readings by what became of them on their asset's time line. */
  readonly outcomes: Record<FoldOutcome, number>;
  reruns: number;
  undecodable: number;
}

/** All counters at zero. */
export const createPipelineCounters = (): PipelineCounters => ({
  readings: 0,
  outcomes: { folded: 0, late: 0, ahead: 0, repeated: 0, too_late: 0 },
  reruns: 0,
  undecodable: 0,
});

/** What became of a reading on its asset's time line. */
export type FoldOutcome =
  | "folded"
  /** Older than, or at the same time as, what was folded: the track waits for a re-run. */
  | "late"
  /**
   * The past, reported late, but newer than what was folded: it waits until a live reading passes it.
   */
  | "ahead"
  /** The reading that was folded last, delivered again. */
  | "repeated"
  /** Beyond the span of re-runs: kept in history, counted, without effect on anything else. */
  | "too_late";

/** One reading that passes through the stages; its track is stored afterwards in any case. */
export interface ReadingContext {
  readonly track: AssetTrack;
  readonly reading: Reading;
  readonly batch: ReadingBatch;
  readonly calendar: WorkCalendar;
  readonly counters: PipelineCounters;
  readonly output: StageOutput;
}

/** A device was heard without a reading; its track is stored afterwards in any case. */
export interface HeardContext {
  readonly track: AssetTrack;
  readonly batch: Omit<ReadingBatch, "readings">;
  readonly output: StageOutput;
}

/** The time of a journalled tick, for findings that no reading causes. */
export interface TickContext {
  /** Server clock when the tick was journalled, ms since the Unix epoch; the only clock a stage may read. */
  readonly atMs: number;
  readonly tracks: Iterable<AssetTrack>;
  /** The track of an asset, made for one that has never been heard of. */
  readonly trackOf: (asset: AssetRegistration) => AssetTrack;
  readonly directory: KnownAssets;
  readonly output: StageOutput;
}

/** What stages look up of assets and projects. */
export type KnownAssets = Pick<AssetDirectory, "find" | "project" | "entries">;

/** An asset got its first MQTT session, or lost its last one. */
export interface LinkContext {
  readonly track: AssetTrack;
  readonly change: LinkChange;
  readonly output: StageOutput;
}

/** No session that was open before still is, or none is followed any more. */
export interface StartContext {
  /** Server clock, ms since the Unix epoch. */
  readonly atMs: number;
  readonly tracks: Iterable<AssetTrack>;
  readonly output: StageOutput;
}

/** One step of processing. Pure but for tracks and output: no clock, no I/O, so that a replay gives the same. */
export interface Stage {
  readonly name: string;
  /**
   * Takes back, before the first record, what was shared at the last commit, as far as it concerns
   * projects that are ours.
   */
  readonly restore?: (state: string, isOurs: (projectId: ProjectId) => boolean) => void;
  /**
   * One shared state of several, for a partition that goes on with projects of all of them. Where they know of
   * different changes it knows of those that all know of. Absent: any of them will do.
   */
  readonly merge?: (states: readonly string[]) => string;
  readonly onReading?: (context: ReadingContext) => void;
  /** A message of the device itself that held notices only. */
  readonly onHeard?: (context: HeardContext) => void;
  readonly onLink?: (context: LinkContext) => void;
  readonly onStart?: (context: StartContext) => void;
  /** Nobody knows from here on whether an asset has a session, until one begins. */
  readonly onUnfollowed?: (context: StartContext) => void;
  readonly onTick?: (context: TickContext) => void;
}
