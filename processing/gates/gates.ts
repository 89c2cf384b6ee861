import { DomainError } from "../../domain/errors.ts";
import type { ImageUse } from "../../domain/sites/image-use.ts";

/** Names of the quality gates (docs/photogrammetry.md#quality-gates); the thresholds are in `gate-thresholds.ts`. */
export const GATES = [
  "NO_GPS",
  "NO_FOCAL",
  "TOO_FEW_IMAGES",
  "TOO_MANY_IMAGES",
  "MIXED_CAMERAS",
  "LOW_SHARPNESS",
  "LENS_CAP",
  "DUPLICATE_IMAGES",
  "NO_OVERLAP",
  "WEAK_TEXTURE",
  "DISCONNECTED",
  "BA_FAILED",
  "NOT_CONVERGED",
  "TAG_CONFLICT",
  "GPS_INCONSISTENT",
  "HEIGHTS_INCONSISTENT",
  "POSITIONS_DRIFT",
  "MODEL_TILTED",
  "F_RUNAWAY",
  "COVERAGE",
  "BASE_BAD",
  "POLYGON_OUTSIDE",
  "SCALE_UNCERTAIN",
  "SCALE_CONTRADICTED",
  "CONTROL_INCONSISTENT",
  "CONTROL_LEFT_OUT",
  "CONTROL_RESIZED",
  "OUT_OF_MEMORY",
  // Of a surface that was given, and of what is measured in any.
  "SURFACE_NO_DATA",
  "SURFACE_HEIGHTS",
  "SURFACE_UNIT",
  "SURFACE_STEPS",
  "SURFACE_REDUCED",
  "SURFACE_PLACE",
  "OUTPUT_SYSTEM",
  "GEOID_UNUSED",
  "FOOTPRINT_INSIDE",
  "RESOLUTION_DEPENDENT",
] as const;
export type GateName = (typeof GATES)[number];

/** What a gate has to say of a survey. */
export interface GateFinding {
  readonly gate: GateName;
  /** `reject`: no honest result; `warn`: a result, with this said beside it. */
  readonly severity: "reject" | "warn";
  /** What was measured, in `unit`. */
  readonly value: number;
  readonly threshold: number;
  /** `px`, `m`, `%`, `MiB`, `images`, or "" for plain numbers. */
  readonly unit: string;
  /** What a person can do about it, one or two sentences. */
  readonly advice: string;
  /** Names of the images concerned; empty: all, or none in particular. */
  readonly images: readonly string[];
}

/** Names in a text for people: fewer may not lead to the images, more only lengthen the sentence. */
const MOST_NAMES = 8;

/** A finding as a sentence or two for a person, with the images it names. */
export function findingText(finding: GateFinding): string {
  const { gate, value, threshold, unit, advice, images } = finding;
  const bound = Math.abs(value) < threshold ? "at least" : "at most";
  const more = images.length > MOST_NAMES ? ` and ${images.length - MOST_NAMES} more` : "";
  const named =
    images.length === 0 ? "" : ` Images: ${images.slice(0, MOST_NAMES).join(", ")}${more}.`;
  return `${gate}: ${value} ${unit} (${bound} ${threshold}). ${advice}${named}`;
}

/**
 * A gate that ends a survey. Reaches clients as 400 `unusable_images` with the finding as details; its
 * message names what else was found.
 */
export class GateRefusal extends DomainError {
  readonly finding: GateFinding;
  readonly others: readonly GateFinding[];
  /** What became of each image until then; empty: the images were not read. */
  readonly uses: readonly ImageUse[];

  constructor(
    finding: GateFinding,
    others: readonly GateFinding[] = [],
    uses: readonly ImageUse[] = [],
  ) {
    const also = others
      .filter(({ gate }) => gate !== finding.gate)
      .map(({ gate, value, unit }) => `${gate} (${value} ${unit})`)
      .join(", ");
    super("IMAGES_UNUSABLE", findingText(finding) + (also && ` Found as well: ${also}.`));
    this.finding = finding;
    this.others = others;
    this.uses = uses;
  }
}
