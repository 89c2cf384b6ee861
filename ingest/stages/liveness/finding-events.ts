import type { EventType } from "../../../domain/events/events.ts";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { AlertUpsert } from "../../../storage/ports/equipment/alerts.ts";
import { alertId, eventId } from "../../events/event-id.ts";
import type { Finding, FindingKind, LivenessState } from "../../liveness/liveness-state.ts";
import type { StageOutput } from "../stage.ts";

/** The events of a finding, and its alert. */
interface FindingEvents {
  readonly begun: EventType;
  readonly ended: EventType;
  readonly resolution: string;
  /** Follows the asset's name. */
  readonly message: string;
}

const EVENTS_BY_KIND: Readonly<Record<FindingKind, FindingEvents>> = {
  offline: {
    begun: "equipment.asset.offline",
    ended: "equipment.asset.online",
    resolution: "online",
    message: "is offline: it has no MQTT session",
  },
  silent: {
    begun: "equipment.asset.silent",
    ended: "equipment.asset.reporting",
    resolution: "reporting",
    message: "is silent: no message came for its time-out",
  },
  gps_stuck: {
    begun: "equipment.asset.gps_stuck",
    ended: "equipment.asset.gps_recovered",
    resolution: "gps_recovered",
    message: "has no new position, though messages come",
  },
};

/** The asset that a finding is about. */
export interface FindingAsset {
  readonly assetId: AssetId;
  /** Its project now. */
  readonly projectId: ProjectId;
  readonly name: string;
}

/** Raises the event of a finding, dated at what happened, and opens its alert. */
export function publishFinding(
  asset: FindingAsset,
  kind: FindingKind,
  finding: Finding,
  state: LivenessState,
  output: StageOutput,
): void {
  const type = EVENTS_BY_KIND[kind].begun;
  output.raise({
    id: eventId(type, asset.assetId, finding.sinceMs),
    revision: 1,
    type,
    projectId: asset.projectId,
    assetId: asset.assetId,
    occurredAtMs: finding.occurredAtMs,
    data: { asset_name: asset.name, ...detailsOf(kind, finding, state) },
  });
  output.alert(alertOf(asset, kind, finding));
}

/** Raises the opposite event of a finding that was published, and resolves its alert. */
export function publishFindingEnd(
  asset: FindingAsset,
  kind: FindingKind,
  finding: Finding,
  endedMs: number,
  output: StageOutput,
): void {
  const { ended, resolution } = EVENTS_BY_KIND[kind];
  output.raise({
    id: eventId(ended, asset.assetId, finding.sinceMs),
    revision: 1,
    type: ended,
    projectId: asset.projectId,
    assetId: asset.assetId,
    occurredAtMs: endedMs,
    data: {
      asset_name: asset.name,
      since: isoTime(finding.sinceMs),
      duration_s: Math.round((endedMs - finding.sinceMs) / 1000),
    },
  });
  resolveFinding(asset, kind, finding, { atMs: endedMs, resolution }, output);
}

/** Resolves the alert of a finding without an event, as for an asset that was deleted. */
export function resolveFinding(
  asset: Pick<FindingAsset, "assetId" | "name">,
  kind: FindingKind,
  finding: Finding,
  { atMs, resolution }: { readonly atMs: number; readonly resolution: string },
  output: StageOutput,
): void {
  output.alert({ ...alertOf(asset, kind, finding), resolvedAtMs: atMs, resolution });
}

function alertOf(
  { assetId, name }: Pick<FindingAsset, "assetId" | "name">,
  kind: FindingKind,
  { sinceMs, occurredAtMs, projectId }: Finding,
): AlertUpsert {
  const { begun, message } = EVENTS_BY_KIND[kind];
  return {
    id: alertId(begun, assetId, sinceMs),
    type: begun,
    severity: "warning",
    projectId,
    assetId,
    message: `${name} ${message}`,
    openedAtMs: occurredAtMs,
    resolvedAtMs: undefined,
    occurrences: 1,
    data: { since: isoTime(sinceMs) },
  };
}

/** What a reader of the event wants to know of each of the three facts. */
function detailsOf(
  kind: FindingKind,
  { sinceMs }: Finding,
  { linkEnd, newestFixMs }: LivenessState,
): Readonly<Record<string, unknown>> {
  if (kind === "offline") return { link_since: isoTime(sinceMs), link_end: linkEnd };
  if (kind === "silent") return { last_message_at: isoTime(sinceMs) };
  return { last_fix_at: isoTime(newestFixMs) };
}
