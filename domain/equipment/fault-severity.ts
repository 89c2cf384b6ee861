import type { AlertSeverity } from "./alert.ts";
import type { FaultCode } from "./reading.ts";

/**
 * Parameters that an engine or its driver is protected by, and the most severe failure mode that means
 * damage or danger: FMI 0 (far too high) or 1 (far too low). The other end of the range is not an
 * emergency: a cold engine's coolant is not.
 */
const PROTECTIVE_FMI: ReadonlyMap<number, number> = new Map([
  [98, 1], // engine oil level
  [100, 1], // engine oil pressure
  [101, 0], // engine crankcase pressure
  [105, 0], // engine intake manifold 1 temperature
  [109, 1], // engine coolant pressure
  [110, 0], // engine coolant temperature
  [111, 1], // engine coolant level
  [117, 1], // brake primary pressure
  [118, 1], // brake secondary pressure
  [120, 0], // hydraulic retarder oil temperature
  [124, 1], // transmission oil level
  [127, 1], // transmission oil pressure
  [173, 0], // engine exhaust temperature
  [175, 0], // engine oil temperature 1
  [177, 0], // transmission oil temperature
  [190, 0], // engine speed
  [1638, 0], // hydraulic temperature
  [2602, 1], // hydraulic oil level
]);

/** The engine's own protection is about to stop it, or has: always critical. */
const SHUTDOWN_SPNS: ReadonlySet<number> = new Set([1109, 1110]);

/** "Least severe level" above (15) and below (17) the normal range, and slow drift (20, 21; SAE J1939-73). */
const MILD_FMIS: ReadonlySet<number> = new Set([15, 17, 20, 21]);

/**
 * Words by which makers say how bad a fault is: red, amber and blue lamps, `HIGH`, `critical`, `3`.
 * Caterpillar's levels go from 1 to 3, of which 3 stops the machine. Whatever else they say is a warning.
 */
const SEVERITY_BY_WORD: readonly (readonly [RegExp, AlertSeverity])[] = [
  [/^(?:3|level 3|high|severe|critical|red|stop)\b/i, "critical"],
  [/^(?:1|level 1|low|info|information|minor|blue|green)\b/i, "info"],
];

/**
 * How bad a fault is when no plan says otherwise. Critical when the engine's protection acts, or a protective
 * parameter is at the most severe level of its dangerous side; info at the least severe level and for drift;
 * else warning. A code that is not of J1939 is as bad as its maker says.
 */
export function faultSeverity(
  fault: Pick<FaultCode, "spn" | "fmi" | "reported_severity">,
): AlertSeverity {
  const { spn, fmi, reported_severity: reported } = fault;
  if (spn === undefined || fmi === undefined) {
    const said = SEVERITY_BY_WORD.find(([word]) => reported !== undefined && word.test(reported));
    return said?.[1] ?? "warning";
  }
  if (SHUTDOWN_SPNS.has(spn) || PROTECTIVE_FMI.get(spn) === fmi) return "critical";
  return MILD_FMIS.has(fmi) ? "info" : "warning";
}
