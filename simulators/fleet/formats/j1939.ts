import type { FaultCode } from "../../../domain/equipment/reading.ts";
import { type FleetFormat, joinJson } from "../device/format.ts";
import type { Measurement } from "../device/measurement.ts";

/** Source addresses (SAE J1939-81): the engine's controller, and a navigation unit for position. */
const ENGINE = 0x00;
const NAVIGATION = 0x1c;
/** Revolutions per minute at idle, and more for each percent of load: as of a diesel, 800 to 2,000. */
const IDLE_RPM = 800;
const RPM_PER_LOAD = 12;
/** A parameter of this many bytes that says "not available". */
const NOTHING = 0xff;

/** One parameter of a group: raw = (value - offset) * perUnit, least significant byte first. */
interface Parameter {
  /** From 1, as the standard prints it. */
  readonly firstByte: number;
  readonly bytes: 1 | 2 | 4;
  readonly perUnit: number;
  readonly offset?: number;
  readonly value: number | undefined;
}

/**
 * The frames that a CAN gateway hears of a machine within a moment (docs/devices/j1939.md): EEC1, EEC2,
 * ET1, EFL/P1, HOURS, VEP1, DD, CCVS, VP of a navigation unit on the bus, and DM1. The bus knows neither the
 * accuracy of a position nor its height; without a fix VP says "not available".
 */
export const j1939: FleetFormat = {
  name: "j1939",
  topicFormat: "j1939",
  transport: "mqtt",
  needsFix: false,
  // The faults of a message are those of its newest second.
  maxReadings: 1,
  encode(m) {
    return JSON.stringify({ timestamp: m.deviceTimeMs, encoding: "hex", frames: framesOf(m) });
  },
  join: joinJson,
};

function framesOf(m: Measurement) {
  const { vitals, motion, location } = m;
  const rpm = m.engineOn ? IDLE_RPM + RPM_PER_LOAD * motion.loadPercent : 0;
  const speedKmh = location === undefined ? undefined : m.speedKmh;
  const deg = { bytes: 4, perUnit: 1e7, offset: -210 } as const;
  return [
    group(61_444, 3, ENGINE, [{ firstByte: 4, bytes: 2, perUnit: 8, value: rpm }]),
    group(61_443, 3, ENGINE, [{ firstByte: 3, bytes: 1, perUnit: 1, value: motion.loadPercent }]),
    group(65_262, 6, ENGINE, [
      { firstByte: 1, bytes: 1, perUnit: 1, offset: -40, value: vitals.coolantTemperatureC },
    ]),
    group(65_263, 6, ENGINE, [
      { firstByte: 4, bytes: 1, perUnit: 1 / 4, value: vitals.oilPressureKpa },
    ]),
    group(65_253, 6, ENGINE, [{ firstByte: 1, bytes: 4, perUnit: 20, value: vitals.engineHours }]),
    group(65_271, 6, ENGINE, [
      { firstByte: 5, bytes: 2, perUnit: 20, value: vitals.batteryVoltage },
    ]),
    group(65_276, 6, ENGINE, [
      { firstByte: 2, bytes: 1, perUnit: 2.5, value: vitals.fuelLevelPercent },
    ]),
    group(65_265, 6, ENGINE, [{ firstByte: 2, bytes: 2, perUnit: 256, value: speedKmh }]),
    group(65_267, 6, NAVIGATION, [
      { firstByte: 1, ...deg, value: location?.latitude },
      { firstByte: 5, ...deg, value: location?.longitude },
    ]),
    frame(65_226, 6, ENGINE, activeFaults(vitals.faults)),
  ];
}

/** A group of 8 bytes with these parameters; all others are "not available". */
function group(pgn: number, priority: number, source: number, parameters: readonly Parameter[]) {
  const data = Buffer.alloc(8, NOTHING);
  for (const { firstByte, bytes, perUnit, offset = 0, value } of parameters) {
    if (value === undefined) continue;
    data.writeUIntLE(Math.round((value - offset) * perUnit), firstByte - 1, bytes);
  }
  return frame(pgn, priority, source, data);
}

function frame(pgn: number, priority: number, source: number, data: Buffer) {
  const id = priority * 2 ** 26 + pgn * 2 ** 8 + source;
  return { id: id.toString(16).toUpperCase().padStart(8, "0"), data: data.toString("hex") };
}

/**
 * DM1 (SAE J1939-73): lamps, flashing, then SPN, FMI and count of the code, or zeros when there is none.
 * @throws RangeError for more than one code: that takes the transport protocol, and no engine here has two.
 */
function activeFaults(faults: readonly FaultCode[]): Buffer {
  const data = Buffer.from([0, NOTHING, 0, 0, 0, 0, NOTHING, NOTHING]);
  const [fault, another] = faults;
  if (another !== undefined) throw new RangeError(`${faults.length} faults do not fit one frame`);
  if (fault === undefined) return data;
  // The amber warning lamp is on.
  data[0] = 0b0000_0100;
  const { spn = 0, fmi = 0 } = fault;
  data.writeUInt16LE(spn & 0xffff, 2);
  data[4] = ((spn >>> 16) << 5) | fmi;
  data[5] = fault.occurrence_count ?? 127;
  return data;
}
