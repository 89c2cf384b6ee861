import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { findingText, GATES, type GateFinding } from "../../processing/photogrammetry/gates.ts";
import type { ErrorDetail } from "./error.ts";

const finding = Compile(
  Type.Object({
    gate: Type.Enum([...GATES]),
    severity: Type.Enum(["reject", "warn"]),
    value: Type.Number(),
    threshold: Type.Number(),
    unit: Type.String(),
    advice: Type.String(),
    images: Type.Array(Type.String()),
  }),
);

/** What a gate found as a detail of an answer. */
export function gateDetail(found: GateFinding): ErrorDetail {
  const { gate, value, threshold, unit, advice, images } = found;
  return {
    parameter: "images",
    message: findingText(found),
    ...{ gate, value, threshold, unit, advice, images: [...images] },
  };
}

/** What a gate found, of the details of a job's failure; `undefined`: no gate refused it. */
export function gateDetailOf(details: unknown): ErrorDetail | undefined {
  return finding.Check(details) ? gateDetail(details) : undefined;
}
