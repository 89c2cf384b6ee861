/** One beacon as a tracker heard it. */
interface Beacon {
  /** `uuid/major/minor` of an iBeacon, `namespace/instance` of an Eddystone; hexadecimal, numbers decimal. */
  readonly id: string;
  readonly rssiDbm: number | undefined;
  /** As sent: public sources disagree on the units of both. */
  readonly battery: number | undefined;
  readonly temperature: number | undefined;
}

/** Beacons of which the values are kept. Each takes up to three of the 64 fields of a reading. */
const MAX_BEACONS = 4;
const EDDYSTONE = { namespace: 10, instance: 6 };
const UUID_BYTES = 16;
/** Bits of a beacon's flags: signal, battery, temperature; the upper half says iBeacon. */
const HAS_RSSI = 0x01;
const HAS_BATTERY = 0x02;
const HAS_TEMPERATURE = 0x04;
const IS_IBEACON = 0xf0;

/**
 * The beacons of AVL id 385 (wiki.teltonika-gps.com, "FMB BLE Beacons"; Traccar `TeltonikaProtocolDecoder`,
 * case 385): a byte of the data part, then each beacon with flags, identity and what the flags announce.
 * `undefined`: it ends within a beacon, so none of it can be trusted.
 */
export function readBeacons(
  bytes: Buffer,
): { readonly count: number; readonly first: readonly Beacon[] } | undefined {
  const first: Beacon[] = [];
  let count = 0;
  let at = 1;
  const has = (length: number): boolean => at + length <= bytes.length;
  while (at < bytes.length) {
    const flags = bytes[at] ?? 0;
    at += 1;
    const isIBeacon = (flags & IS_IBEACON) !== 0;
    const idBytes = isIBeacon ? UUID_BYTES + 4 : EDDYSTONE.namespace + EDDYSTONE.instance;
    const more =
      ((flags & HAS_RSSI) !== 0 ? 1 : 0) +
      ((flags & HAS_BATTERY) !== 0 ? 2 : 0) +
      ((flags & HAS_TEMPERATURE) !== 0 ? 2 : 0);
    if (!has(idBytes + more)) return undefined;
    const id = isIBeacon ? iBeacon(bytes, at) : eddystone(bytes, at);
    at += idBytes;
    let rssiDbm: number | undefined;
    let battery: number | undefined;
    let temperature: number | undefined;
    if ((flags & HAS_RSSI) !== 0) {
      rssiDbm = bytes.readInt8(at);
      at += 1;
    }
    if ((flags & HAS_BATTERY) !== 0) {
      battery = bytes.readUInt16BE(at);
      at += 2;
    }
    if ((flags & HAS_TEMPERATURE) !== 0) {
      temperature = bytes.readInt16BE(at);
      at += 2;
    }
    count += 1;
    if (first.length < MAX_BEACONS) first.push({ id, rssiDbm, battery, temperature });
  }
  return { count, first };
}

function iBeacon(bytes: Buffer, at: number): string {
  const uuid = bytes.toString("hex", at, at + UUID_BYTES);
  const numbers = at + UUID_BYTES;
  return `${uuid}/${bytes.readUInt16BE(numbers)}/${bytes.readUInt16BE(numbers + 2)}`;
}

function eddystone(bytes: Buffer, at: number): string {
  const middle = at + EDDYSTONE.namespace;
  const namespace = bytes.toString("hex", at, middle);
  return `${namespace}/${bytes.toString("hex", middle, middle + EDDYSTONE.instance)}`;
}
