import type { FaultCode, Reading } from "../../domain/equipment/reading.ts";
import type { NewEvent } from "../../domain/events/events.ts";
import type { AlertId, AssetId, ProjectId } from "../../domain/ids.ts";
import { createAssetTracks } from "../../ingest/asset-state/live-assets.ts";
import { RECORD_KIND, TICK_BODY } from "../../ingest/journal-record/journal-record.ts";
import { encodeReadings } from "../../ingest/journal-record/readings.ts";
import { createStages } from "../../ingest/pipeline/stages.ts";
import { PipelineStep } from "../../ingest/pipeline/step.ts";
import { wholeTerritory } from "../../ingest/pipeline/territory.ts";
import { unpackTrack } from "../../ingest/track/track-codec.ts";
import type { AlertUpsert } from "../../storage/ports/equipment/alerts.ts";
import { assetEntry, fixedDirectory } from "./fixed-directory.ts";
import { fixedFences } from "./fixed-fences.ts";
import { type FixedPlans, fixedPlans } from "./fixed-plans.ts";

export const ASSET = "digger-1" as AssetId;
export const PROJECT = "p1" as ProjectId;

/** One asset in a real pipeline step with every stage but liveness, over plans that a test changes. */
export function openMaintenanceRun(plans: FixedPlans = fixedPlans()) {
  const directory = fixedDirectory([assetEntry(ASSET, PROJECT)]);
  const events: NewEvent[] = [];
  const alerts = new Map<AlertId, AlertUpsert>();
  let tracks = createAssetTracks();
  let states = new Map<AssetId, string>();
  let shared = new Map<string, string>();
  let sequence = 0;
  let step = open();

  function open() {
    tracks = createAssetTracks();
    for (const [id, state] of states) {
      const track = unpackTrack(id, state);
      if (track !== undefined) tracks.restore(track);
    }
    const names = {
      asset: (id: string) => `the ${id}`,
      geofence: (id: string) => ({ name: id, kind: "zone" as const }),
    };
    const stages = createStages({ fences: fixedFences(), plans, names });
    for (const stage of stages) {
      const state = shared.get(stage.name);
      if (state !== undefined) stage.restore?.(state, () => true);
    }
    return new PipelineStep({
      journalId: "j",
      directory,
      tracks,
      // Silence is not what these tests are about.
      territory: wholeTerritory(stages.filter(({ name }) => name !== "liveness")),
      counters: {
        readings: 0,
        outcomes: { folded: 0, late: 0, ahead: 0, repeated: 0, too_late: 0 },
        reruns: 0,
        undecodable: 0,
      },
    });
  }

  function apply(kind: number, timeMs: number, body: Uint8Array): readonly NewEvent[] {
    sequence += 1;
    step.apply({ sequence, timeMs, kind, body });
    return commit();
  }

  function commit(): readonly NewEvent[] {
    const change = step.take({ journalId: "j", sequence });
    for (const { assetId, state } of change.states) states.set(assetId, state);
    for (const [name, state] of change.shared) shared.set(name, state);
    for (const alert of change.alerts) alerts.set(alert.id, alert);
    // As the record store does: one that is there is left alone.
    const fresh = change.events.filter((one) => !events.some(({ id }) => id === one.id));
    events.push(...fresh);
    return fresh;
  }

  return {
    plans,
    directory,
    events,
    alerts: () => [...alerts.values()],
    status: () => tracks.state(ASSET)?.hasCriticalAlert,
    /** Fix time from which the asset's readings have to be folded again, ms. */
    lateFrom: () => tracks.find(ASSET)?.lateFromMs,
    tick: (atMs: number) => apply(RECORD_KIND.tick, atMs, TICK_BODY),
    take(
      atMs: number,
      reading: {
        faults?: readonly FaultCode[];
        fields?: Reading["fields"];
        seq?: number;
        isHistorical?: true;
      },
    ) {
      const { faults, fields = {}, seq = -1, ...flag } = reading;
      const full: Reading = {
        fixTimeMs: atMs,
        timeSource: "device",
        rawTimeMs: undefined,
        seq,
        payloadHash: 1,
        fields,
        faults,
        ...flag,
      };
      const batch = {
        assetId: ASSET,
        projectId: directory.find(ASSET)?.asset.project_id ?? PROJECT,
        receivedAtMs: atMs,
        readings: [full],
      };
      return apply(
        RECORD_KIND.readings,
        atMs,
        encodeReadings(batch, { clientHash: 0, packetId: 0, payloadHash: 1 }),
      );
    },
    /** Ends the process and starts it again from what was committed. */
    restart() {
      states = new Map(states);
      shared = new Map(shared);
      step = open();
    },
    move(projectId: string) {
      directory.change(ASSET, assetEntry(ASSET, projectId));
    },
  };
}
