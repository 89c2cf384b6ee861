import type { NewEvent } from "../../domain/events/events.ts";
import type { AlertId, AssetId, GeofenceId, ProjectId, VisitId } from "../../domain/ids.ts";
import type { AlertUpsert } from "../../storage/ports/equipment/alerts.ts";
import type { Visit, VisitEnd } from "../../storage/ports/equipment/visits.ts";
import type { PipelineCommit } from "../../storage/ports/pipeline.ts";

/** What a commit holds beside states. */
export interface CommitShape {
  /** Whether each state comes with a day of utilisation. */
  readonly withDays: boolean;
  /** Assets that passed through a fence: a visit, an alert and an event each. */
  readonly crossings: number;
}

const PROJECT = "prj_bench" as ProjectId;
const START_MS = 1_795_000_000_000;

/** A commit as the pipeline makes it: the same assets every time, every number changed. */
export function pipelineCommit(
  sequence: number,
  states: number,
  { withDays, crossings }: CommitShape,
): PipelineCommit {
  const ids = Array.from({ length: states }, (_, i) => assetId(i));
  const visits = Array.from({ length: crossings }, (_, i) => visitOf(sequence, i));
  return {
    checkpoint: { journalId: "bench", sequence },
    states: ids.map((id, i) => ({ assetId: id, state: stateText(sequence, i) })),
    days: withDays
      ? ids.map((id, i) => ({
          assetId: id,
          projectId: PROJECT,
          day: "2026-11-20",
          workingS: sequence + 0.5,
          overtimeS: 0,
          engineOnS: sequence + i,
          distanceM: i * 3.25 + sequence,
        }))
      : [],
    quarantined: [],
    events: visits.map(eventOf),
    visits,
    alerts: visits.map(alertOf),
    shared: new Map(),
  };
}

const assetId = (i: number) => `ast_${String(i).padStart(16, "0")}` as AssetId;

function visitOf(sequence: number, i: number): Visit {
  const end = (atMs: number): VisitEnd => ({
    atMs,
    location: { latitude: 52.5 + i / 1e5, longitude: 13.4 },
    accuracyM: 4.5,
    cause: "crossing",
  });
  return {
    id: `vis_${sequence}_${i}` as VisitId,
    assetId: assetId(i),
    projectId: PROJECT,
    geofenceId: `gfn_${i % 50}` as GeofenceId,
    ordinal: sequence,
    entered: end(START_MS + sequence * 1_000),
    exited: end(START_MS + sequence * 1_000 + 500),
    inferred: false,
    withdrawn: false,
    published: {
      entered: 1,
      exited: 1,
      exitWithdrawn: false,
      enterAlerted: true,
      exitAlerted: false,
    },
  };
}

const eventOf = (visit: Visit): NewEvent => ({
  id: `evt_${visit.id}`,
  revision: 1,
  type: "equipment.geofence.entered",
  projectId: visit.projectId,
  assetId: visit.assetId,
  geofenceId: visit.geofenceId,
  visitId: visit.id,
  occurredAtMs: visit.entered.atMs,
  location: visit.entered.location,
  accuracyMeters: visit.entered.accuracyM,
  inferred: false,
  cause: "crossing",
  withdrawn: false,
  data: { asset_name: "Excavator 3", geofence_name: "Crane zone", geofence_kind: "zone" },
});

const alertOf = (visit: Visit): AlertUpsert => ({
  id: `alr_${visit.id}` as AlertId,
  type: "equipment.geofence.entered",
  severity: "info",
  projectId: visit.projectId,
  assetId: visit.assetId,
  geofenceId: visit.geofenceId,
  visitId: visit.id,
  message: "Excavator 3 entered Crane zone",
  openedAtMs: visit.entered.atMs,
  resolvedAtMs: visit.exited?.atMs,
  resolution: "exited",
  occurrences: 1,
  data: { inferred: false, cause: "crossing" },
});

/** About 700 bytes in the manner of a packed track. */
function stateText(sequence: number, i: number): string {
  const timeMs = START_MS + sequence * 1_000 + i;
  const numbers = Array.from({ length: 36 }, (_, k) => (timeMs * (k + 1)) % 1_000_003);
  const latest = {
    latitude: 52.5 + i / 1e5,
    longitude: 13.4,
    speed_kmh: sequence % 60,
    heading: 271,
  };
  return JSON.stringify({
    v: 1,
    project: PROJECT,
    latest: [timeMs, -1, latest],
    work: numbers,
    pad: "x".repeat(300),
  });
}
