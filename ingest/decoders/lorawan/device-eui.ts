import { DomainError } from "../../../domain/errors.ts";
import { isJsonObject, readJsonObject } from "../payload/json-payload.ts";

/** Eight bytes in hexadecimal (LoRaWAN 1.0.4, section 6.1.1.2). */
const EUI = /^[0-9A-Fa-f]{16}$/;

/** Where each network server's messages have the device that they are about. */
const EUI_PLACES: ReadonlyMap<string, readonly [outer: string, inner: string]> = new Map([
  ["things-stack", ["end_device_ids", "dev_eui"]],
  ["chirpstack", ["deviceInfo", "devEui"]],
]);

/** Whether a decoder reads the messages of a LoRaWAN network server. */
export const isLorawanDecoder = (name: string): boolean => EUI_PLACES.has(name);

/**
 * The EUI of the device that a network server's message is about, as it is written there; `undefined` for
 * a message that cannot be read or names none.
 */
export function deviceEuiOf(decoder: string, payload: Uint8Array): string | undefined {
  const place = EUI_PLACES.get(decoder);
  if (place === undefined) return undefined;
  const [outer, inner] = place;
  const ids = messageOf(payload)?.[outer];
  const eui = isJsonObject(ids) ? ids[inner] : undefined;
  return typeof eui === "string" && EUI.test(eui) ? eui : undefined;
}

function messageOf(payload: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    return readJsonObject(payload);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
