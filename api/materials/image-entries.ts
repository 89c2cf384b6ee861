import type { AddressRules } from "../../outbound/address-rules.ts";
import { MAX_URL_LENGTH, readTarget } from "../../outbound/target.ts";
import { decodeDataUrl, isDataUrl } from "../../processing/images/data-url.ts";
import { imageKindOf, MAGIC_BYTES } from "../../processing/images/image-kind.ts";
import { MAX_IMAGE_BYTES } from "../../processing/images/image-limits.ts";
import { cleanName } from "../../processing/images/image-name.ts";
import { MOST_MEASURE_IMAGES } from "../../processing/measurement/measure-request.ts";
import { LIMITS } from "../../processing/photogrammetry/gate-thresholds.ts";
import { findingText, type GateFinding } from "../../processing/photogrammetry/gates.ts";
import { DetailedError } from "../plugins/detailed-error.ts";
import { invalidParameter, ParameterError } from "../plugins/validation.ts";
import type { ErrorDetail } from "../schemas/error.ts";
import { kindOf } from "../schemas/kind-of.ts";

/** The images of a measurement as a client named them. */
export interface ImageEntries {
  /** As the job fetches them: http(s) addresses, our own signed ones among them, or `data:` URLs. */
  readonly urls: readonly string[];
  /**
   * One text for each that is the same whenever the image is: an uploaded image may be named by many
   * signed addresses.
   */
  readonly identities: readonly string[];
}

/** How entries are judged without a look at the network. */
export interface EntryRules {
  readonly addresses: AddressRules;
  /** The key of an address that this service signed, while the signature holds. */
  keyOf(url: string): string | undefined;
}

/** Most wrong entries that one answer names. Chosen, as validation of bodies has it. */
const MOST_PROBLEMS = 8;
/** Endings of names that cannot be a surface's. */
const PHOTOGRAPH = /\.(jpe?g|png|webp|heic|dng)$/i;

/**
 * Reads `images` of a measurement, in their order, without touching the network.
 * @throws ParameterError naming each wrong entry, as `images[3]`; DetailedError `IMAGES_UNUSABLE` with the
 * gate TOO_FEW_IMAGES for fewer photographs than any surface can be made of.
 */
export function readImageEntries(images: unknown, rules: EntryRules): ImageEntries {
  const entries = arrayOf(images);
  const urls: string[] = [];
  const identities: string[] = [];
  const problems: ErrorDetail[] = [];
  for (const [i, entry] of entries.entries()) {
    const url = urlOf(entry);
    const message = url === undefined ? notText(entry) : problemOf(url, rules);
    if (message !== undefined) problems.push({ parameter: `images[${i}]`, message });
    if (problems.length === MOST_PROBLEMS) break;
    urls.push(withName(url ?? "", entry));
    identities.push(rules.keyOf(url ?? "") ?? url ?? "");
  }
  if (problems.length > 0) throw new ParameterError(problems);
  const isSurface = urls.length === 1 && !isPhotograph(identities[0] ?? "");
  if (urls.length < LIMITS.fewestImages && !isSurface) throw tooFew(urls.length);
  return { urls, identities };
}

function arrayOf(images: unknown): readonly unknown[] {
  if (images === undefined) throw invalidParameter("images", "is required");
  if (!Array.isArray(images)) {
    throw invalidParameter("images", `must be an array of image URLs, not ${kindOf(images)}`);
  }
  if (images.length === 0) throw invalidParameter("images", "must name at least one image");
  if (images.length > MOST_MEASURE_IMAGES) {
    throw invalidParameter(
      "images",
      `must have at most ${MOST_MEASURE_IMAGES} entries, not ${images.length}`,
    );
  }
  return images;
}

/** The URL of an entry, which is a text, or an object that has one as `url`. */
function urlOf(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null || !("url" in entry)) return undefined;
  return typeof entry.url === "string" ? entry.url : undefined;
}

/**
 * An address with the name that its entry tells, as `POST /progress/images` answers it, for its fragment:
 * addresses of uploaded images end in their content's hash, which tells people nothing.
 */
function withName(url: string, entry: unknown): string {
  if (typeof entry !== "object" || entry === null || !("name" in entry)) return url;
  const name = typeof entry.name === "string" ? cleanName(entry.name) : "";
  if (name === "" || isDataUrl(url) || url.includes("#")) return url;
  // By way of bytes: half a surrogate pair cannot be encoded.
  const named = `${url}#${encodeURIComponent(Buffer.from(name).toString())}`;
  return named.length > MAX_URL_LENGTH ? url : named;
}

function problemOf(url: string, { addresses, keyOf }: EntryRules): string | undefined {
  if (isDataUrl(url)) return dataProblem(url);
  if (url.length <= MAX_URL_LENGTH && keyOf(url) !== undefined) return undefined;
  const target = readTarget(url, addresses);
  return "refusal" in target ? target.refusal : undefined;
}

function dataProblem(url: string): string | undefined {
  try {
    const kind = imageKindOf(decodeDataUrl(url, MAX_IMAGE_BYTES).subarray(0, MAGIC_BYTES));
    return kind === undefined ? "is no JPEG, PNG, TIFF or WebP" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether an entry is surely not a raster of heights. What an address without an ending holds, only the fetch tells. */
function isPhotograph(identity: string): boolean {
  if (isDataUrl(identity)) {
    return imageKindOf(decodeDataUrl(identity, MAX_IMAGE_BYTES).subarray(0, MAGIC_BYTES)) !== "tif";
  }
  return PHOTOGRAPH.test(URL.canParse(identity) ? new URL(identity).pathname : identity);
}

function tooFew(count: number): DetailedError {
  const finding: GateFinding = {
    gate: "TOO_FEW_IMAGES",
    severity: "reject",
    value: count,
    threshold: LIMITS.fewestImages,
    unit: "images",
    advice:
      "Fly with 75 % overlap along and 65 % across, and add at least four oblique images; or send one GeoTIFF of heights.",
    images: [],
  };
  return new DetailedError("IMAGES_UNUSABLE", findingText(finding), [gateDetail(finding)]);
}

/** What a gate found as a detail of an answer. */
export function gateDetail(finding: GateFinding): ErrorDetail {
  const { gate, value, threshold, unit, advice, images } = finding;
  return {
    parameter: "images",
    message: findingText(finding),
    ...{ gate, value, threshold, unit, advice, images: [...images] },
  };
}

function notText(entry: unknown): string {
  return `must be a URL, or an object with a text \`url\`, not ${kindOf(entry)}`;
}
