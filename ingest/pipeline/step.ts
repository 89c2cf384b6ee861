import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { ReadingBatch } from "../../domain/equipment/reading.ts";
import type { NewEvent } from "../../domain/events/events.ts";
import type { AlertId, AssetId, ProjectId, VisitId } from "../../domain/ids.ts";
import type { WorkCalendar } from "../../domain/local-time.ts";
import { WHOLE_DAY } from "../../domain/project.ts";
import type { AlertUpsert } from "../../storage/ports/equipment/alerts.ts";
import type { QuarantineEntry } from "../../storage/ports/equipment/quarantine.ts";
import type { StrandedRecord } from "../../storage/ports/equipment/stranded.ts";
import type { Visit } from "../../storage/ports/equipment/visits.ts";
import type { JournalPosition, JournalRecord } from "../../storage/ports/journal.ts";
import type { PipelineCommit, UtilizationDay } from "../../storage/ports/pipeline.ts";
import type { AssetTracks } from "../asset-state/live-assets.ts";
import { dayTotals } from "../asset-state/track-view.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { eventId } from "../events/event-id.ts";
import { isOfDevice, noticeEvent } from "../events/notice-event.ts";
import { receivedAlert } from "../events/received-alert.ts";
import {
  acknowledged,
  decodeRecord,
  type ForeignPublish,
  type JournalEntry,
  type QuarantinedMessage,
} from "../journal-record/journal-record.ts";
import type { JournalledNotice } from "../journal-record/notice-list.ts";
import type { PipelineCounters, StageOutput } from "../stages/stage.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import { packUsage } from "../track/day-usage.ts";
import { IDENTIFIED, takeIdentity } from "../track/identities.ts";
import { packTrack } from "../track/track-codec.ts";
import { partViews } from "./part-views.ts";
import type { Part, Territory } from "./territory.ts";

/** Gathers what journal records change until it is committed in one transaction. */
export interface PipelineStep {
  /** Runs one record through the stages. */
  apply(record: JournalRecord): void;
  /** Where a change outside a record (a re-run, a changed fence) puts what has to be stored. */
  readonly output: StageOutput;
  calendarOf(track: AssetTrack): WorkCalendar;
  /** Records applied since the last `take`. */
  readonly pending: number;
  readonly hasEvents: boolean;
  /** Whether there is anything to commit, be it only the checkpoint. */
  readonly hasChanges: boolean;
  /** Everything changed since the last `take`, with the checkpoint it belongs to. */
  take(checkpoint: JournalPosition): PipelineCommit;
}

/** The calendar of a project that was deleted while its readings were still in the journal. */
const UTC_CALENDAR: WorkCalendar = { time_zone: "UTC", shift: WHOLE_DAY };

export function createPipelineStep(options: {
  readonly journalId: string;
  readonly directory: AssetDirectory;
  readonly tracks: AssetTracks;
  readonly territory: Territory;
  readonly counters: PipelineCounters;
}): PipelineStep {
  const { journalId, directory, tracks, territory, counters } = options;
  let touched = new Set<AssetTrack>();
  let quarantined: QuarantineEntry[] = [];
  let events: NewEvent[] = [];
  let visits = new Map<VisitId, Visit>();
  let alerts = new Map<AlertId, AlertUpsert>();
  let shared = new Map<string, string>();
  let stranded: StrandedRecord[] = [];
  let pending = 0;
  /** When the record that is applied was received, ms. */
  let receivedAtMs = Number.POSITIVE_INFINITY;

  function applyBatch(batch: ReadingBatch, { stages }: Part): void {
    const track = tracks.track(batch.assetId, batch.projectId);
    track.projectId = batch.projectId;
    const calendar = directory.project(batch.projectId) ?? UTC_CALENDAR;
    for (const reading of batch.readings) {
      counters.readings += 1;
      const context = { track, reading, batch, calendar, counters, output };
      for (const stage of stages) stage.onReading?.(context);
    }
    touch(track);
  }

  function applyHeard(batch: ReadingBatch, { stages }: Part): void {
    const track = tracks.track(batch.assetId, batch.projectId);
    track.projectId = batch.projectId;
    for (const stage of stages) stage.onHeard?.({ track, batch, output });
    touch(track);
  }

  /** What a device names again and again is an event when it changes. */
  function isEvent(notice: JournalledNotice, { assetId, projectId }: ReadingBatch): boolean {
    if (notice.kind !== IDENTIFIED) return true;
    const track = tracks.track(assetId, projectId);
    const { identities } = track;
    const isChange = takeIdentity(identities, notice);
    touch(track);
    return isChange;
  }

  function touch(track: AssetTrack): void {
    touched.add(track);
    tracks.touch(track);
  }

  const output: StageOutput = {
    raise: (event) => {
      events.push(event);
    },
    alert(written) {
      const alert = receivedAlert(written, receivedAtMs, alerts.get(written.id));
      alerts.set(alert.id, alert);
      const track = alert.assetId === undefined ? undefined : tracks.find(alert.assetId);
      if (track === undefined) return;
      // Also one that is critical no more.
      const isOpen = alert.severity === "critical" && alert.resolvedAtMs === undefined;
      if (isOpen === track.criticalAlerts.has(alert.id)) return;
      if (isOpen) track.criticalAlerts.add(alert.id);
      else track.criticalAlerts.delete(alert.id);
      touch(track);
    },
    visit: (visit) => {
      visits.set(visit.id, visit);
    },
    share: (name, state) => {
      shared.set(name, state);
    },
    touch,
  };

  function applyEntry(entry: JournalEntry, record: JournalRecord): void {
    if (entry.type === "start" || entry.type === "tick") applyClock(entry.type, record.timeMs);
    else applyConcern(entry, record);
  }

  /** An entry that concerns one project: processed here, or put aside for the node that owns it. */
  function applyConcern(entry: Concern, record: JournalRecord): void {
    const projectId = owningProject(entry);
    const part = territory.partOf(projectId);
    if (part === undefined) {
      // Sessions of devices are this node's own affair.
      if (entry.type !== "link") strand(record, projectId);
      return;
    }
    switch (entry.type) {
      case "readings":
        if (entry.batch.readings.length > 0) applyBatch(entry.batch, part);
        else if (entry.notices.some(isOfDevice)) applyHeard(entry.batch, part);
        entry.notices.forEach((notice, index) => {
          if (!isEvent(notice, entry.batch)) return;
          events.push(noticeEvent(entry.batch, notice, entry.origin, index));
        });
        break;
      case "quarantined":
        quarantined.push(quarantineEntry(placeOf(record), entry.message));
        break;
      case "foreign":
        events.push(foreignEvent(placeOf(record), entry.publish));
        break;
      case "link": {
        const { change } = entry;
        const track = tracks.track(change.assetId, change.projectId);
        for (const stage of part.stages) stage.onLink?.({ track, change, output });
        break;
      }
    }
  }

  /**
   * The project by which a node owns the entry: the one that its asset is in now. Two nodes must not
   * hold one asset's state, whatever project it was in when the message came.
   */
  function owningProject(entry: Concern): ProjectId {
    const { assetId, projectId } = subjectOf(entry);
    if (territory.node === undefined) return projectId;
    return directory.find(assetId)?.project.id ?? projectId;
  }

  function strand(record: JournalRecord, projectId: ProjectId): void {
    const { origin, record: original } = acknowledged(record, journalId);
    const { kind, body } = original;
    stranded.push({ ...origin, shard: territory.shardOf(projectId), record: { kind, body } });
  }

  /** The same for a record that came from another node, however often it was handed on. */
  function placeOf(record: JournalRecord): string {
    const { origin } = acknowledged(record, journalId);
    return `${origin.journalId}-${origin.sequence}`;
  }

  function applyClock(type: "start" | "tick", atMs: number): void {
    const trackOf = ({ id, project_id }: AssetRegistration) => tracks.track(id, project_id);
    for (const view of partViews(territory, tracks.all(), directory, output)) {
      const context = { atMs, tracks: view.tracks, output: view.output };
      for (const stage of view.part.stages) {
        if (type === "start") stage.onStart?.(context);
        else stage.onTick?.({ ...context, trackOf, directory: view.directory });
      }
    }
  }

  return {
    apply(record) {
      pending += 1;
      const entry = decodeRecord(record);
      receivedAtMs = entry?.type === "readings" ? entry.batch.receivedAtMs : record.timeMs;
      if (entry === undefined) counters.undecodable += 1;
      else applyEntry(entry, record);
    },
    output,
    calendarOf: (track) => directory.project(track.projectId) ?? UTC_CALENDAR,
    get pending() {
      return pending;
    },
    get hasEvents() {
      return events.length > 0;
    },
    get hasChanges() {
      return pending > 0 || touched.size > 0 || events.length > 0 || visits.size > 0;
    },
    take(checkpoint) {
      const commit = {
        checkpoint,
        states: [...touched].map((track) => ({ assetId: track.assetId, state: packTrack(track) })),
        days: [...touched].flatMap(takeChangedDays),
        quarantined,
        events,
        visits: [...visits.values()],
        alerts: [...alerts.values()],
        shared,
        ...(territory.node === undefined ? {} : { node: { ...territory.node, stranded } }),
      };
      touched = new Set();
      quarantined = [];
      events = [];
      visits = new Map();
      alerts = new Map();
      shared = new Map();
      stranded = [];
      pending = 0;
      return commit;
    },
  };
}

function takeChangedDays(track: AssetTrack): readonly UtilizationDay[] {
  const changed = track.days.filter((day) => track.changedDays.has(day.day));
  changed.unshift(...track.closedDays);
  track.closedDays = [];
  track.changedDays.clear();
  return changed.map((day) => ({
    assetId: track.assetId,
    projectId: track.projectId,
    ...dayTotals(day),
    usage: packUsage(day.usage),
  }));
}

/** What concerns one project. */
type Concern = Exclude<JournalEntry, { readonly type: "start" | "tick" }>;

/** The asset of an entry, and the project that it was attributed to when it was acknowledged. */
function subjectOf(entry: Concern): { readonly assetId: AssetId; readonly projectId: ProjectId } {
  switch (entry.type) {
    case "readings":
      return entry.batch;
    case "quarantined":
      return entry.message;
    case "foreign":
      return entry.publish;
    case "link":
      return entry.change;
  }
}

function quarantineEntry(id: string, message: QuarantinedMessage): QuarantineEntry {
  return { ...message, id, replayedAtMs: undefined };
}

function foreignEvent(place: string, publish: ForeignPublish): NewEvent {
  return {
    id: eventId("security.foreign_topic", place),
    revision: 1,
    type: "security.foreign_topic",
    projectId: publish.projectId,
    assetId: publish.assetId,
    occurredAtMs: publish.receivedAtMs,
    data: { topic: publish.topic, count: publish.count },
  };
}
