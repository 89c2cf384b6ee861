import type { Limit } from "../../domain/equipment/maintenance.ts";
import type { Reading } from "../../domain/equipment/reading.ts";
import type { NewEvent } from "../../domain/events/events.ts";
import type { AlertId, AssetId, ProjectId, VisitId } from "../../domain/ids.ts";
import type { WorkCalendar } from "../../domain/local-time.ts";
import { FenceTimeline } from "../../ingest/geofence/fence-timeline.ts";
import { beginRerun, type RerunEnd } from "../../ingest/pipeline/rerun.ts";
import { timeline } from "../../ingest/pipeline/stages.ts";
import { applyLimitChange } from "../../ingest/stages/exceedance-book.ts";
import { applyFenceChanges } from "../../ingest/stages/fence-changes.ts";
import { applyLiveState } from "../../ingest/stages/live-state.ts";
import type { FoldOutcome, StageOutput } from "../../ingest/stages/stage.ts";
import type { TimelineRules } from "../../ingest/stages/timeline.ts";
import { applyCrossing } from "../../ingest/stages/visit-book.ts";
import { type AssetTrack, newAssetTrack, type OpenDay } from "../../ingest/track/asset-track.ts";
import { copyUsage } from "../../ingest/track/day-usage.ts";
import type { AlertUpsert } from "../../storage/ports/equipment/alerts.ts";
import type { GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import type { Visit } from "../../storage/ports/equipment/visits.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import { visitsSince } from "./memory-records/visits.ts";
import { openMemoryTelemetryStore } from "./memory-telemetry-store.ts";

export const ASSET = "truck-1" as AssetId;
export const PROJECT = "site-a" as ProjectId;

/** One asset's time line with all its events, as the pipeline would have stored them. */
export interface TimelineRun {
  readonly track: AssetTrack;
  readonly events: NewEvent[];
  readonly visits: Map<VisitId, Visit>;
  readonly alerts: Map<AlertId, AlertUpsert>;
  /** Utilisation as it was stored last, by day. */
  readonly storedDays: ReadonlyMap<string, Omit<OpenDay, "startMs" | "atStart" | "settledMs">>;
  /** Takes a reading in, live. */
  take(reading: Reading): Promise<FoldOutcome>;
  /** Learns of fences that were drawn, moved or deleted. */
  learn(versions: readonly GeofenceVersion[]): void;
  /** Makes the re-run that is due, if one is; `meanwhile` runs before its readings are read back, and after. */
  rerun(meanwhile?: () => Promise<void>): Promise<void>;
  /** The same while readings from `lackingFromMs` to `lackingToMs` cannot be read back. */
  rerunShort(lackingFromMs: number, lackingToMs: number, isAllowed: boolean): Promise<RerunEnd>;
  /** Stores everything and loads it again, as a restart does. */
  restart(pack: (track: AssetTrack) => AssetTrack): void;
  /** What has to be the same for every order of arrival. */
  table(): readonly string[];
}

export function openTimelineRun(
  calendar: WorkCalendar,
  versions: readonly GeofenceVersion[] = [],
  limits: readonly Limit[] = [],
): TimelineRun {
  const telemetry = openMemoryTelemetryStore();
  const fences = new FenceTimeline();
  fences.assign(ASSET, [
    { assetId: ASSET, projectId: PROJECT, validFromMs: 0, validToMs: undefined },
  ]);
  fences.apply(versions);
  const rules: TimelineRules = {
    calendar,
    fences,
    limits: { limitsAt: () => limits, changes: () => [] },
  };
  const events: NewEvent[] = [];
  const visits = new Map<VisitId, Visit>();
  const alerts = new Map<AlertId, AlertUpsert>();
  const storedDays = new Map<string, Omit<OpenDay, "startMs" | "atStart" | "settledMs">>();
  let track = newAssetTrack(ASSET, PROJECT);
  let taken = 0;
  const output: StageOutput = {
    raise: (event) => {
      events.push(event);
    },
    alert: (alert) => {
      alerts.set(alert.id, alert);
    },
    visit: (visit) => {
      visits.set(visit.id, visit);
    },
    share: () => undefined,
    touch: () => undefined,
  };
  const names = {
    asset: (id: string) => id,
    geofence: (id: string) => ({ name: id, kind: "zone" as const }),
  };
  const stored = {
    since: async (assetId: AssetId, fromOrdinal: number) =>
      visitsSince(
        [...visits.values()].filter((visit) => !visit.withdrawn),
        assetId,
        fromOrdinal,
      ),
  };

  /** As every commit does. */
  function storeDays(): void {
    const changed = track.days.filter(({ day }) => track.changedDays.has(day));
    for (const { startMs: _, atStart: __, settledMs: ___, ...totals } of [
      ...track.closedDays,
      ...changed,
    ]) {
      // A copy: figures go on with the day.
      storedDays.set(totals.day, { ...totals, usage: copyUsage(totals.usage) });
    }
    track.closedDays = [];
    track.changedDays.clear();
  }

  return {
    get track() {
      return track;
    },
    events,
    visits,
    alerts,
    storedDays,
    async take(reading) {
      taken += 1;
      const batch = {
        assetId: ASSET,
        projectId: PROJECT,
        receivedAtMs: reading.fixTimeMs,
        readings: [reading],
      };
      const point = { ...reading, assetId: ASSET, projectId: PROJECT };
      await telemetry.write([point], { journalId: "j", sequence: taken });
      applyLiveState(track, reading, batch);
      const outcome = timeline.foldReading(track, reading, rules, {
        crossing: (crossing) => applyCrossing(track, crossing, { output, names }),
        limit: (change) => applyLimitChange(track, change, { output, names }),
      });
      storeDays();
      return outcome;
    },
    learn(changed) {
      fences.apply(changed);
      const instants = changed.flatMap(({ validFromMs, validToMs }) =>
        validToMs === undefined ? [validFromMs] : [validFromMs, validToMs],
      );
      const learned = {
        instantsMs: [...new Set(instants)].toSorted((a, b) => a - b),
        newAssets: [],
      };
      applyFenceChanges(learned, [track], fences, { output, names });
    },
    async rerun(meanwhile) {
      if (!Number.isFinite(track.lateFromMs)) return;
      const rerun = beginRerun(track, rules);
      await meanwhile?.();
      const read: TelemetryStore["read"] = async (range) => {
        const series = await telemetry.read(range);
        await meanwhile?.();
        return series;
      };
      const end = await rerun.finish({ telemetry: { read }, visits: stored }, { output, names });
      if (end === "short") throw new Error("a re-run that has everything found readings missing");
      storeDays();
    },
    async rerunShort(lackingFromMs, lackingToMs, isAllowed) {
      const read: TelemetryStore["read"] = async (range) => {
        const { timesMs, columns } = await telemetry.read(range);
        const isThere = (_: number, i: number) =>
          !((timesMs[i] ?? 0) >= lackingFromMs && (timesMs[i] ?? 0) < lackingToMs);
        return {
          timesMs: timesMs.filter(isThere),
          columns: new Map([...columns].map(([name, values]) => [name, values.filter(isThere)])),
        };
      };
      const stores = { telemetry: { read }, visits: stored };
      return beginRerun(track, rules).finish(stores, { output, names }, isAllowed);
    },
    restart(pack) {
      const newest = new Map(
        [...visits.values()]
          .filter((visit) => !visit.withdrawn)
          .toSorted((a, b) => a.ordinal - b.ordinal)
          .map((visit) => [visit.geofenceId, visit]),
      );
      track = pack(track);
      track.visits.list = [...newest.values()].toSorted((a, b) => a.ordinal - b.ordinal);
    },
    table: () => eventTable(events),
  };
}

/** Non-withdrawn (fence or limit, type, fix time, inferred) of the newest revision of each event, ascending. */
function eventTable(events: readonly NewEvent[]): readonly string[] {
  const newest = new Map<string, NewEvent>();
  for (const event of events) {
    if (event.revision > (newest.get(event.id)?.revision ?? 0)) newest.set(event.id, event);
  }
  return [...newest.values()]
    .filter((event) => !event.withdrawn)
    .map(
      ({ geofenceId, type, occurredAtMs, inferred, data }) =>
        `${occurredAtMs} ${geofenceId ?? data["limit_id"]} ${type.replace(/\.revised$/, "")} ${inferred}`,
    )
    .toSorted();
}
