import type { EventFeed } from "../../ingest/delivery/event-feed.ts";
import type { AlertRecords } from "../../storage/ports/equipment/alerts.ts";
import type { EventRecords } from "../../storage/ports/events/events.ts";
import { invalidParameter } from "../validation/validation.ts";

/** How far a client has come in each sequence; `undefined`: it had no such topic. */
export interface LivePlace {
  /** The rows that `change` counts: those of one process and one set of projects. */
  readonly view: string;
  readonly change: number | undefined;
  readonly event: number | undefined;
  readonly alert: number | undefined;
}

/** 15 digits are exact in every number format on the way. */
const ID = /^([A-Za-z0-9_-]{1,64})\.(\d{1,15}|-)\.(\d{1,15}|-)\.(\d{1,15}|-)$/;

/** The id of a message: `view.change.event.alert`, with `-` for what the stream does not have. */
export function placeId({ view, change, event, alert }: LivePlace): string {
  return [view, change ?? "-", event ?? "-", alert ?? "-"].join(".");
}

/**
 * The place that `Last-Event-ID` names.
 * @throws ParameterError for a text that is not an id of a live stream, and for a sequence that was not given out:
 *   it belongs to another database, and waiting for it would skip everything until then.
 */
export async function readPlace(
  text: string,
  newest: Pick<EventFeed, "lastSequence">,
  records: {
    readonly events: Pick<EventRecords, "lastSequence">;
    readonly alerts: Pick<AlertRecords, "lastSequence">;
  },
): Promise<LivePlace> {
  const found = ID.exec(text);
  if (found === null) throw invalidParameter("Last-Event-ID", "must be an id of a live stream");
  const [, view = "", ...numbers] = found;
  const [change, event, alert] = numbers.map((part) => (part === "-" ? undefined : Number(part)));
  const isAhead =
    // Another process may have sent the client newer events than this one knows.
    (event !== undefined &&
      event > newest.lastSequence &&
      event > (await records.events.lastSequence())) ||
    (alert !== undefined && alert > (await records.alerts.lastSequence()));
  if (isAhead) throw invalidParameter("Last-Event-ID", "must not lie behind the newest event");
  return { view, change, event, alert };
}
