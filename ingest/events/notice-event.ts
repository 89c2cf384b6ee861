import type { ReadingBatch } from "../../domain/equipment/reading.ts";
import type { NewEvent } from "../../domain/events/events.ts";
import type { Location } from "../../domain/geodesy.ts";
import type { MessageOrigin } from "../journal-record/header.ts";
import type { JournalledNotice } from "../journal-record/notice-list.ts";
import { eventId } from "./event-id.ts";

const TYPE = "equipment.device.notice";

/**
 * The event of the notice with that index of a message. A notice with a time of its own is identified
 * by its content, so that a device may send it again; another by the message that brought it.
 */
export function noticeEvent(
  { assetId, projectId, receivedAtMs }: Omit<ReadingBatch, "readings">,
  notice: JournalledNotice,
  message: Pick<MessageOrigin, "payloadHash">,
  index: number,
): NewEvent {
  const { kind, occurredAtMs, timeSource, data } = notice;
  const content = [assetId, kind, JSON.stringify(data)];
  const name =
    timeSource === "device"
      ? [...content, occurredAtMs]
      : [...content, "received", receivedAtMs, message.payloadHash, index];
  const location = locationOf(data);
  return {
    id: eventId(TYPE, ...name),
    revision: 1,
    type: TYPE,
    projectId,
    assetId,
    occurredAtMs,
    ...(location === undefined ? {} : { location }),
    data: { ...data, kind },
  };
}

/** Whether the device sent it: a last will and a death are sent for a device that is gone. */
export const isOfDevice = ({ kind }: Pick<JournalledNotice, "kind">): boolean =>
  kind !== "last_will" && kind !== "death";

/** The place in the notice's data, in degrees, under our names or the short ones of most formats. */
function locationOf(data: JournalledNotice["data"]): Location | undefined {
  const latitude = data["latitude"] ?? data["lat"];
  const longitude = data["longitude"] ?? data["lon"];
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? { latitude, longitude } : undefined;
}
