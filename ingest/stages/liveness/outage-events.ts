import type { NewEvent } from "../../../domain/events/events.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import { alertId, eventId } from "../../events/event-id.ts";
import type { Outage } from "../../liveness/outage.ts";
import type { StageOutput } from "../stage.ts";

/** Assets that an event lists by id at most; the count is of all. Chosen: 20 kB with ids of 40 characters. */
const MAX_LISTED = 500;

/** Raises the one event of an outage and opens its alert, which belongs to the project and to no asset. */
export function publishOutage(outage: Outage, projectName: string, output: StageOutput): void {
  output.raise({
    ...eventOf(outage, "equipment.project.outage"),
    occurredAtMs: outage.sinceMs,
    data: { project_name: projectName, ...detailsOf(outage) },
  });
  output.alert(alertOf(outage, projectName));
}

/** Raises the end of an outage and resolves its alert. */
export function publishRecovery(
  outage: Outage,
  projectName: string,
  stillAway: readonly AssetId[],
  atMs: number,
  output: StageOutput,
): void {
  output.raise({
    ...eventOf(outage, "equipment.project.recovered"),
    occurredAtMs: atMs,
    data: {
      project_name: projectName,
      since: isoTime(outage.sinceMs),
      duration_s: Math.round((atMs - outage.sinceMs) / 1000),
      assets_away: stillAway.slice(0, MAX_LISTED),
      assets_away_count: stillAway.length,
    },
  });
  output.alert({
    ...alertOf(outage, projectName),
    resolvedAtMs: atMs,
    resolution: "recovered",
  });
}

function eventOf(
  { projectId, sinceMs }: Outage,
  type: "equipment.project.outage" | "equipment.project.recovered",
): Omit<NewEvent, "occurredAtMs" | "data"> {
  return {
    id: eventId(type, projectId, sinceMs),
    revision: 1,
    type,
    projectId,
    assetId: undefined,
  };
}

function alertOf(outage: Outage, projectName: string): AlertUpsert {
  const { projectId, sinceMs, members, reporting } = outage;
  return {
    id: alertId("equipment.project.outage", projectId, sinceMs),
    type: "equipment.project.outage",
    severity: "warning",
    projectId,
    assetId: undefined,
    message: `${members.length} of ${reporting} assets of ${projectName} fell away together`,
    openedAtMs: sinceMs,
    resolvedAtMs: undefined,
    occurrences: 1,
    data: detailsOf(outage),
  };
}

const detailsOf = ({ members, reporting, sinceMs }: Outage) => ({
  last_message_at: isoTime(sinceMs),
  assets: members.slice(0, MAX_LISTED),
  assets_count: members.length,
  reporting_count: reporting,
});
