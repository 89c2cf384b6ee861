import type { JournalledNotice } from "../journal-record/notice-list.ts";

/** What a device names in text, and when it began to, ms since the Unix epoch. */
export interface Identity {
  /** "": no person, or nothing there. */
  readonly value: string;
  readonly sinceMs: number;
  /** Newest time at which it was sent, ms since the Unix epoch. */
  readonly lastMs: number;
}

/** Kind of the notices that name something; see `DeviceNotice`. */
export const IDENTIFIED = "identified";
/** Most names of one asset. A device has a dozen; more would let one fill the state of the service. */
const MAX_NAMES = 32;
/** Beacons come and go with every scan: an event for each would drown all others. */
const SILENT = /^beacon_/;

/**
 * Takes in the person or thing that a device names, and returns whether it differs from before: that is an
 * event. One older than the newest known changes nothing, but is an event where it differs: the device
 * sends it late.
 */
export function takeIdentity(
  identities: Map<string, Identity>,
  { occurredAtMs, data }: JournalledNotice,
): boolean {
  const { name, value } = data;
  if (typeof name !== "string" || typeof value !== "string") return false;
  const known = identities.get(name);
  if (known === undefined) {
    if (identities.size >= MAX_NAMES) return false;
    identities.set(name, { value, sinceMs: occurredAtMs, lastMs: occurredAtMs });
    // An absence is an event only after a presence.
    return value !== "" && !SILENT.test(name);
  }
  const isOther = known.value !== value;
  if (occurredAtMs >= known.lastMs) {
    const sinceMs = isOther ? occurredAtMs : known.sinceMs;
    identities.set(name, { value, sinceMs, lastMs: occurredAtMs });
  }
  return isOther && !SILENT.test(name);
}
