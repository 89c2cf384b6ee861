import type { EventType, NewEvent } from "../../domain/events.ts";
import type { Limit } from "../../domain/maintenance.ts";
import { alertId, eventId } from "./event-id.ts";
import type { Exceedance, ExceedanceEnd, FoundExceedance } from "./exceedance.ts";
import { type News, newsOf, type Told, toldAfter } from "./telling.ts";
import type { TellingContext } from "./visit-telling.ts";

const UNTOLD: Told = { revision: 0, withdrawn: false };

/** Tells what is new of an exceedance; `before`: the same one as it was told last. */
export function tellExceedance(
  before: Exceedance | undefined,
  found: FoundExceedance,
  id: string,
  context: TellingContext,
): Exceedance {
  const told = before?.told ?? { exceeded: UNTOLD, cleared: UNTOLD };
  const exceededNews = newsOf("equipment.limit.exceeded", told.exceeded, {
    happened: true,
    isSame: isSameEnd(before?.exceeded, found.exceeded),
  });
  const clearedNews = newsOf("equipment.limit.cleared", told.cleared, {
    happened: found.cleared !== undefined,
    isSame: isSameEnd(before?.cleared, found.cleared),
  });
  const now: Exceedance = {
    ...found,
    id,
    told: {
      exceeded: toldAfter(told.exceeded, exceededNews),
      cleared: toldAfter(told.cleared, clearedNews),
    },
  };
  raise(now, "equipment.limit.exceeded", now.exceeded, exceededNews, context);
  raise(now, "equipment.limit.cleared", now.cleared ?? before?.cleared, clearedNews, context);
  if (exceededNews !== undefined || clearedNews !== undefined) alert(now, context);
  return now;
}

/** Takes back an exceedance that did not happen. */
export function withdrawExceedance(before: Exceedance, context: TellingContext): void {
  const gone = { happened: false, isSame: false };
  const { exceeded, cleared } = before.told;
  const exceededNews = newsOf("equipment.limit.exceeded", exceeded, gone);
  const clearedNews = newsOf("equipment.limit.cleared", cleared, gone);
  raise(before, "equipment.limit.exceeded", before.exceeded, exceededNews, context);
  raise(before, "equipment.limit.cleared", before.cleared, clearedNews, context);
  alert(before, context, true);
}

const isSameEnd = (a: ExceedanceEnd | undefined, b: ExceedanceEnd | undefined): boolean =>
  a?.atMs === b?.atMs && a?.value === b?.value && a?.cause === b?.cause;

function raise(
  { id, assetId, projectId, limit }: Exceedance,
  kind: EventType,
  end: ExceedanceEnd | undefined,
  news: News | undefined,
  { output, names }: TellingContext,
): void {
  if (news === undefined || end === undefined) return;
  const event: NewEvent = {
    id: eventId(id, kind),
    revision: news.revision,
    type: news.type,
    projectId,
    assetId,
    occurredAtMs: end.atMs,
    cause: end.cause,
    withdrawn: news.withdrawn,
    data: { asset_name: names.asset(assetId), ...limitData(limit), ...valueData(end) },
  };
  output.raise(event);
}

function alert(
  { id, assetId, projectId, limit, exceeded, cleared }: Exceedance,
  { output, names }: TellingContext,
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
