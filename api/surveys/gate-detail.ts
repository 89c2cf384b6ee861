import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { IMAGE_USES } from "../../domain/sites/image-use.ts";
import { findingText, GATES, type GateFinding } from "../../processing/gates/gates.ts";
import type { ErrorDetail } from "../errors/error.ts";
import { imageUsesView, type ListedUse } from "../errors/image-uses.ts";

const finding = Compile(
  Type.Object({
    gate: Type.Enum([...GATES]),
    severity: Type.Enum(["reject", "warn"]),
    value: Type.Number(),
    threshold: Type.Number(),
    unit: Type.String(),
    advice: Type.String(),
    images: Type.Array(Type.String()),
    // Failures of before have none.
    uses: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          use: Type.Enum([...IMAGE_USES]),
          reason: Type.Optional(Type.String()),
        }),
      ),
    ),
  }),
);

/** What a gate found as a detail of an answer. */
export function gateDetail(
  found: GateFinding & { readonly uses?: readonly ListedUse[] },
): ErrorDetail {
  const { gate, value, threshold, unit, advice, images, uses = [] } = found;
  return {
    parameter: "images",
    message: findingText(found),
    ...{ gate, value, threshold, unit, advice, images: [...images] },
    ...(uses.length === 0 ? {} : { image_uses: imageUsesView(uses) }),
  };
}

/** What a gate found, of the details of a job's failure; `undefined`: no gate refused it. */
export function gateDetailOf(details: unknown): ErrorDetail | undefined {
  return finding.Check(details) ? gateDetail(details) : undefined;
}
