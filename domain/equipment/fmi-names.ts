/** Names of the failure modes, by FMI 0 to 31 (SAE J1939-73, Appendix A); 22 to 30 are reserved. */
const FMI_NAMES: readonly string[] = [
  "data valid but above normal operating range, most severe level",
  "data valid but below normal operating range, most severe level",
  "data erratic, intermittent or incorrect",
  "voltage above normal, or shorted to high source",
  "voltage below normal, or shorted to low source",
  "current below normal, or open circuit",
  "current above normal, or grounded circuit",
  "mechanical system not responding, or out of adjustment",
  "abnormal frequency, pulse width or period",
  "abnormal update rate",
  "abnormal rate of change",
  "root cause not known",
  "bad intelligent device or component",
  "out of calibration",
  "special instructions",
  "data valid but above normal operating range, least severe level",
  "data valid but above normal operating range, moderately severe level",
  "data valid but below normal operating range, least severe level",
  "data valid but below normal operating range, moderately severe level",
  "received network data in error",
  "data drifted high",
  "data drifted low",
  ...Array<string>(9).fill("reserved for SAE assignment"),
  "condition exists",
];

/** What is wrong with the parameter, in words. */
export const fmiName = (fmi: number): string => FMI_NAMES[fmi] ?? `FMI ${fmi}`;
