import { fmiName } from "./fmi-names.ts";
import type { FaultCode } from "./reading.ts";
import { spnName } from "./spn-names.ts";

/** What SAE J1939 calls the parameter and the failure mode of a fault; nothing for codes that are not of it. */
export function faultNames({ spn, fmi }: FaultCode): {
  readonly spn_name?: string;
  readonly fmi_name?: string;
} {
  if (spn === undefined || fmi === undefined) return {};
  const name = spnName(spn);
  return { ...(name === undefined ? {} : { spn_name: name }), fmi_name: fmiName(fmi) };
}

/** The number by which people search for a fault: `SPN 100 FMI 3`, or the code as the machine has it. */
const faultNumber = ({ spn, fmi, code }: FaultCode): string =>
  spn === undefined || fmi === undefined ? `code ${code ?? "unknown"}` : `SPN ${spn} FMI ${fmi}`;

/** `engine oil pressure: voltage above normal, or shorted to high source (SPN 100 FMI 3)`. */
export function faultTitle(fault: FaultCode): string {
  const { spn_name: parameter, fmi_name: mode } = faultNames(fault);
  const number = faultNumber(fault);
  if (mode === undefined) {
    return fault.description === undefined ? number : `${fault.description} (${number})`;
  }
  return `${parameter ?? "unknown parameter"}: ${mode} (${number})`;
}
