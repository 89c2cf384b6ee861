import type { EventType, NewEvent } from "../../domain/events/events.ts";
import { type AlertTrigger, alertsOn, type GeofenceKind } from "../../domain/geometry/geofence.ts";
import type { AssetId } from "../../domain/ids.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { AlertUpsert } from "../../storage/ports/equipment/alerts.ts";
import type { Visit, VisitEnd } from "../../storage/ports/equipment/visits.ts";
import { changeOf, type EventChange, publishedAfter } from "../events/event-change.ts";
import { alertId, eventId } from "../events/event-id.ts";
import type { StageOutput } from "./stage.ts";

/** Causes that a person wants alerts for; changed fences and moved assets are their own actions. */
const ALERTED_CAUSES: ReadonlySet<string> = new Set(["crossing", "first_fix"]);

/** The two fixes that a crossing between them was inferred from, ms since the Unix epoch. */
export interface CrossingBounds {
  readonly afterMs: number;
  readonly beforeMs: number;
}

/** A visit as the fold over the fixes has it, before it is compared with what was published. */
export interface FoundVisit
  extends Pick<
    Visit,
    "assetId" | "projectId" | "geofenceId" | "ordinal" | "entered" | "exited" | "inferred"
  > {
  readonly bounds: CrossingBounds | undefined;
  /** What the fence in force at each end alerts on; `undefined` where the end was not found again. */
  readonly enterAlertOn: readonly AlertTrigger[] | undefined;
  readonly exitAlertOn: readonly AlertTrigger[] | undefined;
}

/** Names for people, in messages and event data. */
export interface VisitNames {
  asset(assetId: AssetId): string;
  geofence(geofenceId: Visit["geofenceId"]): {
    readonly name: string;
    readonly kind: GeofenceKind;
  };
}

/** Where events and alerts go, and the names in them. */
export interface EventContext {
  readonly output: StageOutput;
  readonly names: VisitNames;
}

/**
 * Records a visit as it is known now and publishes what changed. `before`: the same visit as it was
 * recorded, `id`: its identity.
 */
export function publishVisit(
  before: Visit | undefined,
  found: FoundVisit,
  id: Visit["id"],
  context: EventContext,
): Visit {
  const published = before?.published ?? NOTHING_PUBLISHED;
  const wasInferred = before?.inferred === found.inferred;
  const entryChange = changeOf("equipment.geofence.entered", publishedEntry(before), {
    happened: true,
    isSame: wasInferred && isSameEnd(before?.entered, found.entered),
  });
  const exitChange = changeOf("equipment.geofence.exited", publishedExit(before), {
    happened: found.exited !== undefined,
    // The exit event also gives the duration of the visit.
    isSame:
      wasInferred &&
      isSameEnd(before?.exited, found.exited) &&
      before?.entered.atMs === found.entered.atMs,
  });
  const { bounds: _bounds, enterAlertOn: _enter, exitAlertOn: _exit, ...kept } = found;
  const exit = publishedAfter(publishedExit(before), exitChange);
  const visit: Visit = {
    ...kept,
    id,
    withdrawn: false,
    published: {
      entered: entryChange?.revision ?? published.entered,
      exited: exit.revision,
      exitWithdrawn: exit.withdrawn,
      ...alertedEnds(found, published),
    },
  };
  raise(visit, visit.entered, entryChange, found.bounds, context);
  raise(visit, visit.exited ?? before?.exited, exitChange, found.bounds, context);
  context.output.visit(visit);
  const { output, names } = context;
  const isNew = entryChange !== undefined || exitChange !== undefined || !published.enterAlerted;
  if (visit.published.enterAlerted && isNew) output.alert(enterAlert(visit, names));
  // What alerted before was something else than it seemed.
  const gone = { ...visit, withdrawn: true };
  if (published.enterAlerted && !visit.published.enterAlerted)
    output.alert(enterAlert(gone, names));
  if (published.exitAlerted && !visit.published.exitAlerted)
    output.alert(exitAlert(gone, undefined, names));
  return visit;
}

/** Withdraws a visit that did not happen, with every event published of it. */
export function withdrawVisit(before: Visit, context: EventContext): void {
  const gone = { happened: false, isSame: false };
  const entryChange = changeOf("equipment.geofence.entered", publishedEntry(before), gone);
  const exitChange = changeOf("equipment.geofence.exited", publishedExit(before), gone);
  const exit = publishedAfter(publishedExit(before), exitChange);
  const visit: Visit = {
    ...before,
    withdrawn: true,
    published: {
      ...before.published,
      entered: entryChange?.revision ?? before.published.entered,
      exited: exit.revision,
      exitWithdrawn: exit.withdrawn,
    },
  };
  raise(visit, visit.entered, entryChange, undefined, context);
  raise(visit, visit.exited, exitChange, undefined, context);
  context.output.visit(visit);
  if (visit.published.enterAlerted) context.output.alert(enterAlert(visit, context.names));
  if (visit.published.exitAlerted) context.output.alert(exitAlert(visit, undefined, context.names));
}

/**
 * Writes the alert of a visit's exit as it is now; `next`: the following visit of the same asset in the
 * same fence, whose entry resolves it.
 */
export function publishExitAlert(
  visit: Visit,
  next: Visit | undefined,
  { output, names }: EventContext,
): void {
  if (visit.published.exitAlerted) output.alert(exitAlert(visit, next?.entered.atMs, names));
}

const NOTHING_PUBLISHED: Visit["published"] = {
  entered: 0,
  exited: 0,
  exitWithdrawn: false,
  enterAlerted: false,
  exitAlerted: false,
};

const publishedEntry = (visit: Visit | undefined) => ({
  revision: visit?.published.entered ?? 0,
  withdrawn: visit?.withdrawn ?? false,
});

const publishedExit = (visit: Visit | undefined) => ({
  revision: visit?.published.exited ?? 0,
  withdrawn: visit?.published.exitWithdrawn ?? false,
});

function isSameEnd(a: VisitEnd | undefined, b: VisitEnd | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.atMs === b.atMs &&
    a.cause === b.cause &&
    a.accuracyM === b.accuracyM &&
    a.location.latitude === b.location.latitude &&
    a.location.longitude === b.location.longitude
  );
}

/** Which ends of a visit open an alert, by the fences in force at them as known now. */
export function alertedEnds(
  { entered, exited, enterAlertOn, exitAlertOn }: FoundVisit,
  published: Visit["published"],
): Pick<Visit["published"], "enterAlerted" | "exitAlerted"> {
  return {
    enterAlerted: isAlerted(entered, enterAlertOn, "enter", published.enterAlerted),
    exitAlerted: isAlerted(exited, exitAlertOn, "exit", published.exitAlerted),
  };
}

/** `before`: whether it was alerted, which holds for an end that was not found again. */
function isAlerted(
  end: VisitEnd | undefined,
  triggers: readonly AlertTrigger[] | undefined,
  direction: "enter" | "exit",
  before: boolean,
): boolean {
  if (end === undefined) return false;
  if (triggers === undefined) return before;
  return ALERTED_CAUSES.has(end.cause) && alertsOn(triggers, direction);
}

function raise(
  visit: Visit,
  end: VisitEnd | undefined,
  change: EventChange | undefined,
  bounds: CrossingBounds | undefined,
  { output, names }: EventContext,
): void {
  if (change === undefined || end === undefined) return;
  const kind: EventType = change.type.startsWith("equipment.geofence.entered")
    ? "equipment.geofence.entered"
    : "equipment.geofence.exited";
  const { entered, exited } = visit;
  const event: NewEvent = {
    id: eventId(visit.id, kind),
    revision: change.revision,
    type: change.type,
    projectId: visit.projectId,
    assetId: visit.assetId,
    geofenceId: visit.geofenceId,
    visitId: visit.id,
    occurredAtMs: end.atMs,
    location: end.location,
    accuracyMeters: end.accuracyM,
    inferred: visit.inferred,
    cause: end.cause,
    withdrawn: change.withdrawn,
    data: {
      asset_name: names.asset(visit.assetId),
      geofence_name: names.geofence(visit.geofenceId).name,
      ...(kind === "equipment.geofence.exited" && !change.withdrawn && exited !== undefined
        ? { duration_s: Math.round((exited.atMs - entered.atMs) / 1000) }
        : {}),
      ...(bounds === undefined
        ? {}
        : { after: isoTime(bounds.afterMs), before: isoTime(bounds.beforeMs) }),
    },
  };
  output.raise(event);
}

function enterAlert(visit: Visit, names: VisitNames): AlertUpsert {
  const { entered, exited, withdrawn } = visit;
  const end = withdrawn ? entered.atMs : exited?.atMs;
  return {
    ...alertOf(visit, "equipment.geofence.entered", entered, names),
    message: `${names.asset(visit.assetId)} entered ${names.geofence(visit.geofenceId).name}`,
    resolvedAtMs: end,
    ...(end === undefined ? {} : { resolution: withdrawn ? "withdrawn" : "exited" }),
  };
}

function exitAlert(visit: Visit, nextEnteredAtMs: number | undefined, names: VisitNames) {
  const end = visit.exited ?? visit.entered;
  const isGone = visit.withdrawn || visit.exited === undefined;
  const resolvedAtMs = isGone ? end.atMs : nextEnteredAtMs;
  return {
    ...alertOf(visit, "equipment.geofence.exited", end, names),
    message: `${names.asset(visit.assetId)} left ${names.geofence(visit.geofenceId).name}`,
    resolvedAtMs,
    ...(resolvedAtMs === undefined ? {} : { resolution: isGone ? "withdrawn" : "entered" }),
  } satisfies AlertUpsert;
}

function alertOf(visit: Visit, type: EventType, end: VisitEnd, names: VisitNames) {
  return {
    id: alertId(visit.id, type),
    type,
    severity: names.geofence(visit.geofenceId).kind === "restricted" ? "warning" : "info",
    projectId: visit.projectId,
    assetId: visit.assetId,
    geofenceId: visit.geofenceId,
    visitId: visit.id,
    openedAtMs: end.atMs,
    occurrences: 1,
    data: { inferred: visit.inferred, cause: end.cause },
  } as const;
}
