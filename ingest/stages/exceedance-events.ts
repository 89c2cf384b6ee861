import type { Limit } from "../../domain/equipment/maintenance.ts";
import type { EventType, NewEvent } from "../../domain/events/events.ts";
import {
  changeOf,
  type EventChange,
  type Published,
  publishedAfter,
} from "../events/event-change.ts";
import { alertId, eventId } from "../events/event-id.ts";
import type { Exceedance, ExceedanceEnd, FoundExceedance } from "../track/exceedance.ts";
import type { EventContext } from "./visit-events.ts";

const UNPUBLISHED: Published = { revision: 0, withdrawn: false };

/** Publishes what changed of an exceedance; `before`: the same one as it was published last. */
export function publishExceedance(
  before: Exceedance | undefined,
  found: FoundExceedance,
  id: string,
  context: EventContext,
): Exceedance {
  const published = before?.published ?? { exceeded: UNPUBLISHED, cleared: UNPUBLISHED };
  const exceededChange = changeOf("equipment.limit.exceeded", published.exceeded, {
    happened: true,
    isSame: isSameEnd(before?.exceeded, found.exceeded),
  });
  const clearedChange = changeOf("equipment.limit.cleared", published.cleared, {
    happened: found.cleared !== undefined,
    isSame: isSameEnd(before?.cleared, found.cleared),
  });
  const now: Exceedance = {
    ...found,
    id,
    published: {
      exceeded: publishedAfter(published.exceeded, exceededChange),
      cleared: publishedAfter(published.cleared, clearedChange),
    },
  };
  raise(now, "equipment.limit.exceeded", now.exceeded, exceededChange, context);
  raise(now, "equipment.limit.cleared", now.cleared ?? before?.cleared, clearedChange, context);
  if (exceededChange !== undefined || clearedChange !== undefined) alert(now, context);
  return now;
}

/** Takes back an exceedance that did not happen. */
export function withdrawExceedance(before: Exceedance, context: EventContext): void {
  const gone = { happened: false, isSame: false };
  const { exceeded, cleared } = before.published;
  const exceededChange = changeOf("equipment.limit.exceeded", exceeded, gone);
  const clearedChange = changeOf("equipment.limit.cleared", cleared, gone);
  raise(before, "equipment.limit.exceeded", before.exceeded, exceededChange, context);
  raise(before, "equipment.limit.cleared", before.cleared, clearedChange, context);
  alert(before, context, true);
}

const isSameEnd = (a: ExceedanceEnd | undefined, b: ExceedanceEnd | undefined): boolean =>
  a?.atMs === b?.atMs && a?.value === b?.value && a?.cause === b?.cause;

function raise(
  { id, assetId, projectId, limit }: Exceedance,
  kind: EventType,
  end: ExceedanceEnd | undefined,
  change: EventChange | undefined,
  { output, names }: EventContext,
): void {
  if (change === undefined || end === undefined) return;
  const event: NewEvent = {
    id: eventId(id, kind),
    revision: change.revision,
    type: change.type,
    projectId,
    assetId,
    occurredAtMs: end.atMs,
    cause: end.cause,
    withdrawn: change.withdrawn,
    data: { asset_name: names.asset(assetId), ...limitData(limit), ...valueData(end) },
  };
  output.raise(event);
}

function alert(
  { id, assetId, projectId, limit, exceeded, cleared }: Exceedance,
  { output, names }: EventContext,
  isWithdrawn = false,
): void {
  const resolvedAtMs = isWithdrawn ? exceeded.atMs : cleared?.atMs;
  output.alert({
    id: alertId(id, "equipment.limit.exceeded"),
    type: "equipment.limit.exceeded",
    severity: limit.severity,
    projectId,
    assetId,
    message: `${names.asset(assetId)}: ${limit.name} ${limit.bound} ${limit.level}`,
    openedAtMs: exceeded.atMs,
    resolvedAtMs,
    ...(resolvedAtMs === undefined ? {} : { resolution: isWithdrawn ? "withdrawn" : "cleared" }),
    occurrences: 1,
    data: { ...limitData(limit), ...valueData(exceeded) },
  });
}

const limitData = ({ id, name, field, bound, level, clearAt, forMs }: Limit) => ({
  limit_id: id,
  limit_name: name,
  field,
  [bound]: level,
  clear_at: clearAt,
  for_s: forMs / 1000,
});

const valueData = ({ value }: ExceedanceEnd) => (value === undefined ? {} : { value });
