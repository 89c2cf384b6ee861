import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { findingText, GATES, type GateFinding } from "../../processing/photogrammetry/gates.ts";
import { IMAGE_USES, type ImageUse } from "../../processing/photogrammetry/image-use.ts";
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

/** What became of an image, as JSON keeps it. */
interface ListedUse {
  readonly name: string;
  readonly use: ImageUse["use"];
  readonly reason?: string;
}

/** What a gate found as a detail of an answer. */
export function gateDetail(
  found: GateFinding & { readonly uses?: readonly ListedUse[] },
): ErrorDetail {
  const { gate, value, threshold, unit, advice, images, uses = [] } = found;
  return {
    parameter: "images",
    message: findingText(found),
    ...{ gate, value, threshold, unit, advice, images: [...images] },
    ...(uses.length === 0 ? {} : { image_uses: uses.map(imageUseView) }),
  };
}

const imageUseView = (one: ListedUse) => ({
  name: one.name,
  use: one.use,
  reason: one.reason ?? null,
});

/** What a gate found, of the details of a job's failure; `undefined`: no gate refused it. */
export function gateDetailOf(details: unknown): ErrorDetail | undefined {
  return finding.Check(details) ? gateDetail(details) : undefined;
}
