import { DomainError } from "../../domain/errors.ts";
import { readQuery } from "../decoders/osmand/query.ts";
import { isJsonObject, readJsonObject } from "../decoders/payload/json-payload.ts";

/** One message of a device, before a check whether it is known. */
export interface DeviceMessage {
  /** What the device calls itself. */
  readonly hardwareId: string;
  /** Last level of the topic that it is offered under. */
  readonly format: "osmand" | "traccar";
  /** What the decoder of that format reads. */
  readonly payload: Uint8Array;
  /** The status for an id that is not registered, as Traccar's server answers each kind of client. */
  readonly unknownStatus: 400 | 404;
}

const OPENING_BRACE = 0x7b;
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Content and sender of a request. It is the query of its address with a form in its body, or JSON
 * of Traccar Client (`device_id`) or of a Traccar server that forwards (`device.uniqueId`).
 * `undefined`: it names no device.
 */
export function readMessage(url: string, body: Buffer): DeviceMessage | undefined {
  const mark = url.indexOf("?");
  const query = mark < 0 ? "" : url.slice(mark + 1);
  try {
    return isJson(body) ? readJsonMessage(body) : readQueryMessage(query, body);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** By what it is, not by its content type: clients differ in what they declare. */
function isJson(body: Buffer): boolean {
  let at = 0;
  while (BLANKS.has(body[at])) at += 1;
  return body[at] === OPENING_BRACE;
}

function readJsonMessage(body: Buffer): DeviceMessage | undefined {
  const { device_id: deviceId, device } = readJsonObject(body);
  const given = deviceId ?? (isJsonObject(device) ? device["uniqueId"] : undefined);
  const hardwareId = typeof given === "number" ? String(given) : given;
  if (typeof hardwareId !== "string" || hardwareId === "") return undefined;
  return { hardwareId, format: "traccar", payload: body, unknownStatus: 404 };
}

function readQueryMessage(query: string, body: Buffer): DeviceMessage | undefined {
  const parts = [query, body.toString().trim()].filter((part) => part !== "");
  const text = parts.join("&");
  const isId = (name: string): boolean => name === "id" || name === "deviceid";
  const [, hardwareId = ""] = readQuery(text).find(([name]) => isId(name)) ?? [];
  if (hardwareId === "") return undefined;
  return { hardwareId, format: "osmand", payload: Buffer.from(text), unknownStatus: 400 };
}
