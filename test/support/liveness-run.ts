import type { Reading } from "../../domain/equipment/reading.ts";
import type { NewEvent } from "../../domain/events/events.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { connectionOf } from "../../ingest/asset-state/connection.ts";
import { createAssetTracks } from "../../ingest/asset-state/live-assets.ts";
import { RECORD_KIND, TICK_BODY } from "../../ingest/journal-record/journal-record.ts";
import { encodeLinkChange, type LinkEnd } from "../../ingest/journal-record/link-change.ts";
import { encodeReadings } from "../../ingest/journal-record/readings.ts";
import { PipelineStep } from "../../ingest/pipeline/step.ts";
import { wholeTerritory } from "../../ingest/pipeline/territory.ts";
import { createLivenessStage } from "../../ingest/stages/liveness/liveness-stage.ts";
import { unpackTrack } from "../../ingest/track/track-codec.ts";
import type { Alert } from "../../storage/ports/equipment/alerts.ts";
import type { JournalRecord } from "../../storage/ports/journal.ts";
import { assetEntry, type FixedDirectory, fixedDirectory } from "./fixed-directory.ts";
import { openMemoryRecords } from "./memory-records.ts";

/** Second 0 of every run, ms since the Unix epoch. */
const START_MS = Date.UTC(2026, 5, 1, 8);
const TICK_S = 10;
const JOURNAL = "journal-1";

/** The liveness stage behind a pipeline step, over a journal that a test writes; times in seconds. */
export interface LivenessRun {
  readonly directory: FixedDirectory;
  readonly journal: readonly JournalRecord[];
  /** Everything reported so far: `<second> <type without its first word> <asset or project>`. */
  readonly reported: readonly string[];
  readonly events: readonly NewEvent[];
  alerts(): readonly Alert[];
  status(assetId: string): string;
  /** Ticks every 10 s up to and with this second. */
  passTo(atS: number): void;
  up(assetId: string, atS: number): void;
  down(assetId: string, atS: number, end?: LinkEnd): void;
  /** A message; `fixS`: the fix time of a position in it. */
  message(assetId: string, atS: number, fixS?: number): void;
  /** A message with a position that the device says is the past, reported late. */
  history(assetId: string, atS: number, fixS: number): void;
  /** An old message that is journalled only now. */
  replay(assetId: string, receivedS: number): void;
  start(atS: number): void;
  /** Sessions are not followed from here on. */
  unfollow(atS: number): void;
  /** Ticks begin again here, without those in between. */
  skipTo(atS: number): void;
  /** What a process that crashed after some of the commits, and began again, would have stored. */
  withCrashes(commitEvery: number, crashEvery: number): Promise<Stored>;
}

/** What is stored of a run, to compare. */
export interface Stored {
  readonly events: readonly string[];
  readonly alerts: readonly Alert[];
}

/** An asset of a run; its time-out in seconds, absent: the default of 900. */
export interface RunAsset {
  readonly id: string;
  readonly timeoutS?: number;
}

export function openLivenessRun(assets: readonly RunAsset[]): LivenessRun {
  const directory = fixedDirectory(
    assets.map(({ id, timeoutS }) => {
      const entry = assetEntry(id, "site");
      if (timeoutS === undefined) return entry;
      return { ...entry, asset: { ...entry.asset, liveness_timeout_s: timeoutS } };
    }),
  );
  const journal: JournalRecord[] = [];
  const events: NewEvent[] = [];
  const alerts = new Map<string, Alert>();
  const { step, tracks } = openStep(directory);
  let tickedS = 0;

  function append(kind: number, atS: number, body: Uint8Array): void {
    const record = { sequence: journal.length + 1, timeMs: START_MS + atS * 1_000, kind, body };
    journal.push(record);
    step.apply(record);
    const commit = step.take({ journalId: JOURNAL, sequence: record.sequence });
    events.push(...commit.events);
    for (const alert of commit.alerts) alerts.set(alert.id, alert as Alert);
  }

  function link(assetId: string, atS: number, end: LinkEnd | undefined): void {
    const projectId = directory.find(assetId as AssetId)?.project.id ?? ("site" as ProjectId);
    const atMs = START_MS + atS * 1_000;
    const change = { assetId: assetId as AssetId, projectId, atMs, end };
    append(RECORD_KIND.link, atS, encodeLinkChange(change));
  }

  function readings(
    assetId: string,
    atS: number,
    receivedS: number,
    fixS?: number,
    flag: Pick<Reading, "isHistorical"> = {},
  ): void {
    const receivedAtMs = START_MS + receivedS * 1_000;
    const reading = {
      fixTimeMs: fixS === undefined ? receivedAtMs : START_MS + fixS * 1_000,
      timeSource: "device" as const,
      rawTimeMs: undefined,
      seq: -1,
      payloadHash: 1,
      fields: fixS === undefined ? { engine_on: 1 } : { latitude: 52.5, longitude: 13.4 },
      faults: undefined,
      ...flag,
    };
    const projectId = directory.find(assetId as AssetId)?.project.id ?? ("site" as ProjectId);
    const batch = { assetId: assetId as AssetId, projectId, receivedAtMs, readings: [reading] };
    const body = encodeReadings(batch, { clientHash: 0, packetId: 0, payloadHash: 1 });
    append(RECORD_KIND.readings, atS, body);
  }

  return {
    directory,
    journal,
    events,
    get reported() {
      return events.map(
        ({ occurredAtMs, type, assetId, projectId }) =>
          `${(occurredAtMs - START_MS) / 1_000} ${type.replace("equipment.", "")} ${assetId ?? projectId}`,
      );
    },
    alerts: () => [...alerts.values()],
    status(assetId) {
      const track = tracks.find(assetId as AssetId);
      if (track === undefined) return "no track";
      const { link, status } = connectionOf(track.liveness);
      return `${link} ${status}`;
    },
    passTo(atS) {
      for (; tickedS + TICK_S <= atS; tickedS += TICK_S) {
        append(RECORD_KIND.tick, tickedS + TICK_S, TICK_BODY);
      }
    },
    up: (assetId, atS) => link(assetId, atS, undefined),
    down: (assetId, atS, end = "cut") => link(assetId, atS, end),
    message: (assetId, atS, fixS) => readings(assetId, atS, atS, fixS),
    history: (assetId, atS, fixS) => readings(assetId, atS, atS, fixS, { isHistorical: true }),
    replay: (assetId, receivedS) => readings(assetId, tickedS, receivedS),
    start: (atS) => append(RECORD_KIND.start, atS, TICK_BODY),
    unfollow: (atS) => append(RECORD_KIND.unfollowed, atS, TICK_BODY),
    skipTo(atS) {
      tickedS = atS - TICK_S;
    },
    withCrashes: (commitEvery, crashEvery) =>
      runWithCrashes(journal, directory, commitEvery, crashEvery),
  };
}

function openStep(directory: FixedDirectory) {
  const tracks = createAssetTracks();
  const stage = createLivenessStage({
    asset: (id) => directory.find(id)?.asset.name ?? id,
  });
  const step = new PipelineStep({
    journalId: JOURNAL,
    directory,
    tracks,
    territory: wholeTerritory([stage]),
    counters: {
      readings: 0,
      outcomes: { folded: 0, late: 0, ahead: 0, repeated: 0, too_late: 0 },
      reruns: 0,
      undecodable: 0,
    },
  });
  return { step, tracks, stage };
}

async function runWithCrashes(
  journal: readonly JournalRecord[],
  directory: FixedDirectory,
  commitEvery: number,
  crashEvery: number,
): Promise<Stored> {
  const { pipeline, rows } = openMemoryRecords();
  let { step } = openStep(directory);
  let at = 0;
  let steps = 0;
  while (at < journal.length) {
    const record = journal[at];
    if (record === undefined) break;
    step.apply(record);
    at += 1;
    steps += 1;
    if (steps % commitEvery === 0 || at === journal.length) {
      await pipeline.commit(step.take({ journalId: JOURNAL, sequence: at }));
    }
    if (steps % crashEvery !== 0) continue;
    // What was not committed is lost; the next process goes on behind the checkpoint.
    const next = openStep(directory);
    for (const { assetId, state } of await pipeline.states()) {
      const track = unpackTrack(assetId, state);
      if (track !== undefined) next.tracks.restore(track);
    }
    const shared = (await pipeline.shared()).get(next.stage.name);
    if (shared !== undefined) next.stage.restore?.(shared, () => true);
    at = (await pipeline.checkpoint())?.sequence ?? 0;
    step = next.step;
  }
  return { events: rows.events.map(({ id }) => id), alerts: [...rows.alerts.values()] };
}
