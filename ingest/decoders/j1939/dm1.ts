import type { FaultCode } from "../../../domain/equipment/reading.ts";

/** Active diagnostic trouble codes, sent by each controller once a second. */
export const DM1_PGN = 65_226;

/** The lamps of a DM1 by their field, with the place of their two bits in its first byte. */
const LAMPS = [
  ["malfunction_lamp", 6],
  ["red_stop_lamp", 4],
  ["amber_warning_lamp", 2],
  ["protect_lamp", 0],
] as const;
type Lamp = (typeof LAMPS)[number][0];

/** How the SPN of codes with a set conversion bit lies in its bytes: SAE J1939-73 had three layouts before today's. */
export type OldSpnLayout = 1 | 2 | 3;

/** What one controller says in a DM1. */
export interface ActiveCodes {
  /** 0 off, 1 on; a lamp that the controller does not have is left out. */
  readonly lamps: ReadonlyMap<Lamp, number>;
  readonly faults: readonly FaultCode[];
  /** Codes whose SPN was read as layout 3 because the controller's layout is not given. */
  readonly uncertain: number;
}

/** SPN with every bit set: filling, not a code. */
const NO_SPN = 0x7ffff;
/** Of the occurrence count: not available. */
const NO_COUNT = 127;
/** Lamps, and one code. */
const SHORTEST = 6;

/**
 * Reads a DM1 (SAE J1939-73): lamps, flashing, then 4 bytes a code. Returns `undefined` for data
 * too short to be one. A code of SPN 0 and FMI 0 means no fault.
 */
export function readDm1(
  data: Uint8Array,
  source: number,
  oldLayout: OldSpnLayout | undefined,
): ActiveCodes | undefined {
  if (data.length < SHORTEST) return undefined;
  const faults: FaultCode[] = [];
  let uncertain = 0;
  for (let at = 2; at + 4 <= data.length; at += 4) {
    const third = data[at + 2] ?? 0;
    const last = data[at + 3] ?? 0;
    const isOld = last > 0x7f;
    const layout = isOld ? (oldLayout ?? 3) : 3;
    const spn = spnOf(data[at] ?? 0, data[at + 1] ?? 0, third >> 5, layout);
    const fmi = third & 0x1f;
    if (spn === NO_SPN || (spn === 0 && fmi === 0)) continue;
    if (isOld && oldLayout === undefined) uncertain += 1;
    const count = last & 0x7f;
    faults.push({ source, spn, fmi, ...(count === NO_COUNT ? {} : { occurrence_count: count }) });
  }
  return { lamps: readLamps(data[0] ?? 0), faults, uncertain };
}

/** Today's layout, 4, is the third with the conversion bit clear. */
function spnOf(first: number, second: number, top3: number, layout: OldSpnLayout): number {
  if (layout === 1) return (first << 11) | (second << 3) | top3;
  if (layout === 2) return (second << 11) | (first << 3) | top3;
  return (top3 << 16) | (second << 8) | first;
}

function readLamps(byte: number): ReadonlyMap<Lamp, number> {
  const lamps = new Map<Lamp, number>();
  for (const [lamp, shift] of LAMPS) {
    const state = (byte >> shift) & 3;
    // 2 is reserved and 3 "not available".
    if (state < 2) lamps.set(lamp, state);
  }
  return lamps;
}
