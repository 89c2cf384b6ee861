import { type GateFinding, GateRefusal } from "./gates.ts";

/** Keeps the warnings in `findings`. @throws GateRefusal for the first finding that refuses. */
export function passGates(findings: GateFinding[], found: readonly GateFinding[]): void {
  const refusal = found.find(({ severity }) => severity === "reject");
  if (refusal !== undefined) {
    const others = [...findings, ...found].filter((one) => one !== refusal);
    throw new GateRefusal(refusal, others);
  }
  findings.push(...found);
}
