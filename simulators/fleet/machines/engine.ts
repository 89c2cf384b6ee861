import type { FaultCode } from "../../../domain/equipment/reading.ts";
import type { Random } from "../../randomness/random.ts";

/** What the machine's own sensors say, in the units of the names. */
export interface Vitals {
  readonly engineHours: number;
  readonly fuelLevelPercent: number;
  readonly coolantTemperatureC: number;
  readonly oilPressureKpa: number;
  readonly batteryVoltage: number;
  /** Active diagnostic trouble codes; empty when all is well. */
  readonly faults: readonly FaultCode[];
}

/** What differs between engines. */
export interface EngineSpec {
  readonly tankL: number;
  /** Fuel burnt at idle and at full load, litres per hour. */
  readonly idleLph: number;
  readonly fullLph: number;
  readonly systemV: 12 | 24;
}

export interface Engine {
  /** Lets one second pass. */
  step(engineOn: boolean, loadPercent: number): void;
  vitals(): Vitals;
}

/** Common engine faults (SPN and FMI as SAE J1939 publishes them). */
const FAULTS: readonly { readonly spn: number; readonly fmi: number }[] = [
  { spn: 110, fmi: 0 }, // coolant temperature, most severe high
  { spn: 100, fmi: 1 }, // oil pressure, most severe low
  { spn: 168, fmi: 4 }, // battery, voltage below normal
  { spn: 97, fmi: 15 }, // water in fuel, least severe high
  { spn: 3251, fmi: 0 }, // particulate filter differential pressure
  { spn: 1761, fmi: 17 }, // exhaust fluid level, least severe low
];
/** Mean engine time between faults and length of one, seconds: so that an hour of 20 machines shows some. */
const FAULT_EVERY_S = 4 * 3_600;
const FAULT_LASTS_S = 15 * 60;
/** DM1 counts occurrences in 7 bits; 127 means "not available" (SAE J1939-73). */
const MAX_OCCURRENCES = 126;
/** Time constants of the coolant, seconds: an engine warms up in minutes and cools down in hours. */
const WARM_UP_S = 240;
const COOL_DOWN_S = 3_600;
const AMBIENT_C = 14;

/** An engine with a random past: hours on the meter, part of a tank, cold. */
export function createEngine(random: Random, spec: EngineSpec): Engine {
  let engineOnS = Math.round(random.uniform(200, 9_000) * 3_600);
  let fuelL = spec.tankL * random.uniform(0.45, 0.98);
  let coolantC = AMBIENT_C;
  let on = false;
  let refuelling = false;
  let load = 0;
  let fault: { readonly spn: number; readonly fmi: number; readonly untilOnS: number } | undefined;
  const occurrences = new Map<number, number>();

  function stepFaults(): void {
    if (fault !== undefined && engineOnS >= fault.untilOnS) fault = undefined;
    if (fault !== undefined || !random.chance(1 / FAULT_EVERY_S)) return;
    const kind = random.pick(FAULTS);
    fault = { ...kind, untilOnS: engineOnS + 60 + random.exponential(FAULT_LASTS_S) };
    occurrences.set(kind.spn, Math.min(MAX_OCCURRENCES, (occurrences.get(kind.spn) ?? 0) + 1));
  }

  return {
    step(engineOn, loadPercent) {
      on = engineOn;
      load = loadPercent;
      if (engineOn) {
        engineOnS += 1;
        const lph = spec.idleLph + ((spec.fullLph - spec.idleLph) * loadPercent) / 100;
        fuelL = Math.max(0, fuelL - lph / 3_600);
        coolantC += (84 + 0.08 * loadPercent - coolantC) / WARM_UP_S;
        stepFaults();
        return;
      }
      coolantC += (AMBIENT_C - coolantC) / COOL_DOWN_S;
      // The fuel bowser comes while the machine is stationary: 3 l/s until the tank is nearly full.
      if (fuelL < spec.tankL * 0.3) refuelling = true;
      if (fuelL >= spec.tankL * 0.95) refuelling = false;
      if (refuelling) fuelL += 3;
    },
    vitals: () => ({
      engineHours: engineOnS / 3_600,
      fuelLevelPercent: (fuelL / spec.tankL) * 100,
      coolantTemperatureC: coolantC,
      // Cold oil is thick: up to 180 kPa more at 14 C than at working temperature.
      oilPressureKpa: on ? 230 + 1.9 * load + Math.max(0, 85 - coolantC) * 2.5 : 0,
      batteryVoltage: (on ? 14.05 : 12.62) * (spec.systemV / 12),
      faults:
        fault === undefined
          ? []
          : [{ spn: fault.spn, fmi: fault.fmi, occurrence_count: occurrences.get(fault.spn) ?? 1 }],
    }),
  };
}
