import type { AssetId, GeofenceId, ProjectId, VisitId } from "../../domain/ids.ts";
import type { Visit, VisitEnd } from "../../storage/ports/equipment/visits.ts";
import type { TelemetryPoint, TelemetryStore } from "../../storage/ports/telemetry-store.ts";

const MINUTE_MS = 60_000;

/** One end of a visit, across the fence unless `cause` says otherwise. */
export function visitEnd(atMs: number, cause = "crossing"): VisitEnd {
  return { atMs, location: { latitude: 53.5, longitude: 9.9 }, accuracyM: 2.5, cause };
}

/** A visit of truck `t1` in fence `f1` of project `p1`; minutes after `startMs`. */
export function visitOf(
  id: string,
  [enteredMin, exitedMin]: readonly [number, number | undefined],
  change: Partial<Visit> = {},
  startMs = 0,
): Visit {
  return {
    id: id as VisitId,
    assetId: "t1" as AssetId,
    projectId: "p1" as ProjectId,
    geofenceId: "f1" as GeofenceId,
    ordinal: enteredMin,
    entered: visitEnd(startMs + enteredMin * MINUTE_MS),
    exited: exitedMin === undefined ? undefined : visitEnd(startMs + exitedMin * MINUTE_MS),
    inferred: false,
    withdrawn: false,
    published: {
      entered: 1,
      exited: 1,
      exitWithdrawn: false,
      enterAlerted: false,
      exitAlerted: false,
    },
    ...change,
  };
}

/** Stores a reading of `payload_kg` every `periodS` seconds of `[fromMs, toMs)`. */
export async function writePayload(
  telemetry: Pick<TelemetryStore, "write">,
  assetId: string,
  { fromMs, toMs, periodS }: { fromMs: number; toMs: number; periodS: number },
  payloadKg: (timeMs: number) => number,
): Promise<void> {
  const points: TelemetryPoint[] = [];
  for (let timeMs = fromMs; timeMs < toMs; timeMs += periodS * 1_000) {
    points.push(payloadPoint(assetId, timeMs, payloadKg(timeMs)));
  }
  await telemetry.write(points, { journalId: "j", sequence: 1 });
}

export function payloadPoint(assetId: string, fixTimeMs: number, kg: number): TelemetryPoint {
  return {
    assetId: assetId as AssetId,
    projectId: "p1" as ProjectId,
    fixTimeMs,
    seq: -1,
    payloadHash: 0,
    fields: { payload_kg: kg },
  };
}
