import type { AssetRegistration } from "../../domain/equipment/asset.ts";
import type { ReadingBatch } from "../../domain/equipment/reading.ts";
import type { NewEvent } from "../../domain/events/events.ts";
import type { AlertId, AssetId, ProjectId, VisitId } from "../../domain/ids.ts";
import type { WorkCalendar } from "../../domain/local-time.ts";
import { WHOLE_DAY } from "../../domain/project.ts";
import type { AlertUpsert } from "../../storage/ports/equipment/alerts.ts";
import type { QuarantineEntry } from "../../storage/ports/equipment/quarantine.ts";
import type { Visit } from "../../storage/ports/equipment/visits.ts";
import type { JournalPosition, JournalRecord } from "../../storage/ports/journal.ts";
import type { PipelineCommit, UtilizationDay } from "../../storage/ports/pipeline.ts";
import type { AssetTracks } from "../asset-state/live-assets.ts";
import { dayTotals } from "../asset-state/track-view.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import { eventId } from "../events/event-id.ts";
import { isOfDevice, noticeEvent } from "../events/notice-event.ts";
import { receivedAlert } from "../events/received-alert.ts";
import type { ForeignPublish } from "../journal-record/foreign.ts";
import type { HandedOver } from "../journal-record/handed-over.ts";
import { acknowledged, decodeRecord, type JournalEntry } from "../journal-record/journal-record.ts";
import type { JournalledNotice } from "../journal-record/notice-list.ts";
import type { QuarantinedMessage } from "../journal-record/quarantined.ts";
import type { PipelineCounters, StageOutput } from "../stages/stage.ts";
import type { AssetTrack } from "../track/asset-track.ts";
import { packUsage } from "../track/day-usage.ts";
import { IDENTIFIED, takeIdentity } from "../track/identities.ts";
import { packTrack } from "../track/track-codec.ts";
import { ownAssets, ownTracks, type Territory } from "./territory.ts";

/** The calendar of a project that was deleted while its readings were still in the journal. */
const UTC_CALENDAR: WorkCalendar = { time_zone: "UTC", shift: WHOLE_DAY };

interface PipelineStepOptions {
  readonly journalId: string;
  readonly directory: AssetDirectory;
  readonly tracks: AssetTracks;
  readonly territory: Territory;
  readonly counters: PipelineCounters;
}

/** A record of an asset that has moved to another partition's project. */
export interface MovedRecord {
  readonly projectId: ProjectId;
  readonly record: HandedOver;
}

/** Gathers what journal records change until it is committed in one transaction. */
export class PipelineStep {
  readonly #options: PipelineStepOptions;
  #touched = new Set<AssetTrack>();
  #quarantined: QuarantineEntry[] = [];
  #events: NewEvent[] = [];
  #visits = new Map<VisitId, Visit>();
  #alerts = new Map<AlertId, AlertUpsert>();
  #shared = new Map<string, string>();
  #moved: MovedRecord[] = [];
  #pending = 0;
  /** When the record that is applied was received, ms. */
  #receivedAtMs = Number.POSITIVE_INFINITY;
  readonly output: StageOutput;

  constructor(options: PipelineStepOptions) {
    this.#options = options;
    this.output = {
      raise: (event) => {
        this.#events.push(event);
      },
      alert: (written) => {
        const alert = receivedAlert(written, this.#receivedAtMs, this.#alerts.get(written.id));
        this.#alerts.set(alert.id, alert);
        const track =
          alert.assetId === undefined ? undefined : this.#options.tracks.find(alert.assetId);
        if (track === undefined) return;
        // Also one that is critical no more.
        const isOpen = alert.severity === "critical" && alert.resolvedAtMs === undefined;
        if (isOpen === track.criticalAlerts.has(alert.id)) return;
        if (isOpen) track.criticalAlerts.add(alert.id);
        else track.criticalAlerts.delete(alert.id);
        this.#touch(track);
      },
      visit: (visit) => {
        this.#visits.set(visit.id, visit);
      },
      share: (name, state) => {
        this.#shared.set(this.#options.territory.prefix + name, state);
      },
      touch: (track) => this.#touch(track),
    };
  }

  /** Runs one record through the stages. */
  apply(record: JournalRecord): void {
    this.#pending += 1;
    const entry = decodeRecord(record);
    this.#receivedAtMs = entry?.type === "readings" ? entry.batch.receivedAtMs : record.timeMs;
    if (entry === undefined) this.#options.counters.undecodable += 1;
    else this.#applyEntry(entry, record);
  }

  get #stages(): Territory["stages"] {
    return this.#options.territory.stages;
  }

  calendarOf(track: AssetTrack): WorkCalendar {
    return this.#options.directory.project(track.projectId) ?? UTC_CALENDAR;
  }

  /** Records applied since the last `take`. */
  get pending(): number {
    return this.#pending;
  }

  get hasEvents(): boolean {
    return this.#events.length > 0;
  }

  /** Whether there is anything to commit, be it only the checkpoint. */
  get hasChanges(): boolean {
    return (
      this.#pending > 0 ||
      this.#touched.size > 0 ||
      this.#events.length > 0 ||
      this.#visits.size > 0
    );
  }

  /** What other pipelines are to process of the records since the last call: before those are committed here. */
  takeMoved(): readonly MovedRecord[] {
    const moved = this.#moved;
    this.#moved = [];
    return moved;
  }

  /** Everything changed since the last `take`, with the checkpoint it belongs to. */
  take(checkpoint: JournalPosition): PipelineCommit {
    const { share } = this.#options.territory;
    const commit = {
      checkpoint,
      states: [...this.#touched].map((track) => ({
        assetId: track.assetId,
        state: packTrack(track),
      })),
      days: [...this.#touched].flatMap(takeChangedDays),
      quarantined: this.#quarantined,
      events: this.#events,
      visits: [...this.#visits.values()],
      alerts: [...this.#alerts.values()],
      shared: this.#shared,
      ...(share === undefined ? {} : { node: { id: share.id, leases: share.leases } }),
    };
    this.#touched = new Set();
    this.#quarantined = [];
    this.#events = [];
    this.#visits = new Map();
    this.#alerts = new Map();
    this.#shared = new Map();
    this.#pending = 0;
    return commit;
  }

  #applyBatch(batch: ReadingBatch): void {
    const track = this.#options.tracks.track(batch.assetId, batch.projectId);
    track.projectId = batch.projectId;
    const calendar = this.#options.directory.project(batch.projectId) ?? UTC_CALENDAR;
    for (const reading of batch.readings) {
      this.#options.counters.readings += 1;
      const context = {
        track,
        reading,
        batch,
        calendar,
        counters: this.#options.counters,
        output: this.output,
      };
      for (const stage of this.#stages) stage.onReading?.(context);
    }
    this.#touch(track);
  }

  #applyHeard(batch: ReadingBatch): void {
    const track = this.#options.tracks.track(batch.assetId, batch.projectId);
    track.projectId = batch.projectId;
    for (const stage of this.#stages) stage.onHeard?.({ track, batch, output: this.output });
    this.#touch(track);
  }

  /** What a device names again and again is an event when it changes. */
  #isEvent(notice: JournalledNotice, { assetId, projectId }: ReadingBatch): boolean {
    if (notice.kind !== IDENTIFIED) return true;
    const track = this.#options.tracks.track(assetId, projectId);
    const { identities } = track;
    const isChange = takeIdentity(identities, notice);
    this.#touch(track);
    return isChange;
  }

  #touch(track: AssetTrack): void {
    this.#touched.add(track);
    this.#options.tracks.touch(track);
  }

  #applyEntry(entry: JournalEntry, record: JournalRecord): void {
    if (isOfAll(entry)) this.#applyClock(entry.type, record.timeMs);
    else this.#applyConcern(entry, record);
  }

  /** An entry that concerns one project: processed here, or passed on to the pipeline that owns it. */
  #applyConcern(entry: Concern, record: JournalRecord): void {
    const projectId = this.#owningProject(entry);
    if (!this.#options.territory.owns(projectId)) {
      // A gateway reports a device's link again with the next birth or death.
      if (entry.type !== "link") this.#passOn(record, projectId);
      return;
    }
    switch (entry.type) {
      case "readings":
        if (entry.batch.readings.length > 0) this.#applyBatch(entry.batch);
        else if (entry.notices.some(isOfDevice)) this.#applyHeard(entry.batch);
        entry.notices.forEach((notice, index) => {
          if (!this.#isEvent(notice, entry.batch)) return;
          this.#events.push(noticeEvent(entry.batch, notice, entry.origin, index));
        });
        break;
      case "quarantined":
        this.#quarantined.push(quarantineEntry(this.#placeOf(record), entry.message));
        break;
      case "foreign":
        this.#events.push(foreignEvent(this.#placeOf(record), entry.publish));
        break;
      case "link": {
        const { change } = entry;
        const track = this.#options.tracks.track(change.assetId, change.projectId);
        for (const stage of this.#stages) stage.onLink?.({ track, change, output: this.output });
        break;
      }
    }
  }

  /**
   * The project by which a pipeline owns the entry: the one that its asset is in now. Two must not hold
   * one asset's state, whatever project it was in when the message came.
   */
  #owningProject(entry: Concern): ProjectId {
    const { assetId, projectId } = subjectOf(entry);
    if (this.#options.territory.share === undefined) return projectId;
    return this.#options.directory.find(assetId)?.project.id ?? projectId;
  }

  #passOn(record: JournalRecord, projectId: ProjectId): void {
    this.#moved.push({ projectId, record: acknowledged(record, this.#options.journalId) });
  }

  /** The same for a record that came from another partition, however often it was passed on. */
  #placeOf(record: JournalRecord): string {
    const { origin } = acknowledged(record, this.#options.journalId);
    return `${origin.journalId}-${origin.sequence}`;
  }

  #applyClock(type: OfAll["type"], atMs: number): void {
    const trackOf = ({ id, project_id }: AssetRegistration) =>
      this.#options.tracks.track(id, project_id);
    const { territory } = this.#options;
    const tracks = ownTracks(territory, this.#options.tracks.all(), this.#options.directory);
    const directory = ownAssets(territory, this.#options.directory);
    const context = { atMs, tracks, output: this.output };
    for (const stage of territory.stages) {
      if (type === "start") stage.onStart?.(context);
      else if (type === "unfollowed") stage.onUnfollowed?.(context);
      else stage.onTick?.({ ...context, trackOf, directory });
    }
  }
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

/** What concerns every asset. */
type OfAll = Extract<JournalEntry, { readonly type: "start" | "tick" | "unfollowed" }>;
/** What concerns one project. */
type Concern = Exclude<JournalEntry, OfAll>;

const isOfAll = (entry: JournalEntry): entry is OfAll =>
  entry.type === "start" || entry.type === "tick" || entry.type === "unfollowed";

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
