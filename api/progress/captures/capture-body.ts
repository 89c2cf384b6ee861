import { type Static, Type } from "typebox";
import { ProjectId } from "../../../domain/ids.ts";
import {
  CAPTURE_TYPES,
  type CaptureType,
  MOST_CAPTURE_IMAGES,
} from "../../../domain/sites/capture.ts";
import { kindOf } from "../../schemas/kind-of.ts";
import { type EntryRules, imageList, readImageEntries } from "../../surveys/image-entries.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { checkFlightMetadata, FlightMetadata } from "./flight-metadata.ts";

/** Body of POST /progress/captures, as it is described. */
export const NewCapture = Type.Object(
  {
    project_id: ProjectId,
    capture_type: Type.Enum([...CAPTURE_TYPES]),
    images: imageList(
      MOST_CAPTURE_IMAGES,
      "A flight needs five or more, or one GeoTIFF of heights, or `flight_metadata.dsm_url`. Of fixed cameras and by hand, an address may say behind its `#` what it shows: `#camera=cam_1`, `#zone=flat-3`",
    ),
    flight_metadata: Type.Optional(FlightMetadata),
  },
  { title: "NewCapture" },
);

/** Fields that the route reads itself, to say more of what is wrong with them. */
export const READ_BY_ROUTE = ["capture_type", "images"] as const;

/** What of a body the schema has passed. */
type CheckedBody = Omit<Static<typeof NewCapture>, (typeof READ_BY_ROUTE)[number]> & {
  readonly capture_type?: unknown;
  readonly images?: unknown;
};

/** A capture as it was asked for. */
export interface AskedCapture {
  readonly captureType: CaptureType;
  /** As the job fetches them. */
  readonly images: readonly string[];
  readonly metadata: FlightMetadata | undefined;
}

/**
 * Reads the body of a capture, without touching the network. How many images a flight needs is not checked
 * here: the contract has no least number, and the capture says which gate refused it.
 * @throws ParameterError naming the field.
 */
export function readCapture(body: CheckedBody, rules: EntryRules, nowMs: number): AskedCapture {
  const captureType = readType(body.capture_type);
  const entries = readImageEntries(body.images, rules, MOST_CAPTURE_IMAGES);
  const { flight_metadata: metadata } = body;
  if (metadata !== undefined) checkFlightMetadata(metadata, rules, nowMs);
  return { captureType, images: entries.urls, metadata };
}

function readType(value: unknown): CaptureType {
  const found = CAPTURE_TYPES.find((type) => type === value);
  if (found !== undefined) return found;
  if (value === undefined) throw invalidParameter("capture_type", "is required");
  const given = typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : kindOf(value);
  const message = `must be one of ${CAPTURE_TYPES.join(", ")}, not ${given}`;
  throw invalidParameter("capture_type", message);
}
