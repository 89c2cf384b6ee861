import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { AddressRules } from "../../outbound/address-rules.ts";
import { MAX_URL_LENGTH, readTarget } from "../../outbound/target.ts";
import { decodeDataUrl, isDataUrl } from "../../processing/images/data-url.ts";
import { imageKindOf, MAGIC_BYTES } from "../../processing/images/files/image-kind.ts";
import { MAX_IMAGE_BYTES } from "../../processing/images/files/image-limits.ts";
import { cleanName } from "../../processing/images/files/image-name.ts";
import type { ErrorDetail } from "../errors/error.ts";
import { kindOf } from "../schemas/kind-of.ts";
import { invalidParameter, ParameterError } from "../validation/validation.ts";

const ImageUrl = Type.String({
  title: "ImageUrl",
  description:
    "http(s) URL of at most 2,048 characters, the address of an uploaded image, or a data: URL in base64",
});

const ImageOfUpload = Type.Object(
  {
    url: ImageUrl,
    name: Type.Optional(
      Type.String({
        description: "Name of the image in warnings; absent: the end of its URL's path",
      }),
    ),
  },
  { title: "NamedImage" },
);

const ResumedUpload = Type.Object(
  { upload_id: Type.String({ description: "A whole upload of POST /uploads" }) },
  { title: "UploadedFile" },
);

/** What `readImageEntries` takes; validation is left to that, which names the entry. */
export const imageList = (maxItems: number, description: string) =>
  Type.Array(Type.Union([ImageUrl, ImageOfUpload, ResumedUpload]), {
    minItems: 1,
    maxItems,
    description,
  });

/** Uploads in several requests, by the ids that bodies name them by. */
export interface NamedUploads {
  /** `undefined`: there is none, or the caller may not see it. @throws DomainError `IMAGE_REFUSED`; StorageShortage */
  find(
    request: FastifyRequest,
    id: string,
  ): Promise<{ readonly url: string; readonly name: string } | "unfinished" | undefined>;
}

/**
 * The same `images` with each `upload_id` replaced by the upload's address and name; what is wrong otherwise is left
 * to `readImageEntries`.
 * @throws ParameterError naming each that is not a whole upload of the caller's; what `find` throws
 */
export async function withUploads(
  request: FastifyRequest,
  images: unknown,
  most: number,
  uploads: NamedUploads | undefined,
): Promise<unknown> {
  if (!Array.isArray(images) || images.length > most || uploads === undefined) return images;
  const problems: ErrorDetail[] = [];
  const named: unknown[] = [];
  for (const [i, entry] of images.entries()) {
    const id = uploadIdOf(entry);
    const found = id === undefined ? undefined : await uploads.find(request, id);
    named.push(typeof found === "object" ? found : entry);
    if (id === undefined || typeof found === "object") continue;
    const message =
      found === "unfinished" ? "names an upload that is not whole yet" : "names no upload";
    problems.push({ parameter: `images[${i}].upload_id`, message });
    if (problems.length === MOST_PROBLEMS) break;
  }
  if (problems.length > 0) throw new ParameterError(problems);
  return named;
}

function uploadIdOf(entry: unknown): string | undefined {
  if (typeof entry !== "object" || entry === null || !("upload_id" in entry)) return undefined;
  return typeof entry.upload_id === "string" ? entry.upload_id : undefined;
}

/** The images of a request as its client named them. */
export interface ImageEntries {
  /** As the job fetches them: http(s) addresses, our own signed ones among them, or `data:` URLs. */
  readonly urls: readonly string[];
  /**
   * One text for each that is the same whenever the image is: an uploaded image may be named by many
   * signed addresses.
   */
  readonly identities: readonly string[];
}

/** How entries are checked without the network. */
export interface EntryRules {
  readonly addresses: AddressRules;
  /** The key of an address that this service signed, while the signature holds. */
  keyOf(url: string): string | undefined;
}

/**
 * Most wrong entries that one answer names, as validation of bodies has it: more is noise, fewer is more
 * attempts.
 */
const MOST_PROBLEMS = 8;
/** A fragment that says what an image shows, and not yet what it is called (`progress/camera/place-hints.ts`). */
const HINTED = /#(camera|zone)=(?!.*&name=)/;

/**
 * Reads `images` of a request, `most` of them at most, in their order and without touching the network.
 * @throws ParameterError naming each wrong entry, as `images[3]`.
 */
export function readImageEntries(images: unknown, rules: EntryRules, most: number): ImageEntries {
  const entries = arrayOf(images, most);
  const urls: string[] = [];
  const identities: string[] = [];
  const problems: ErrorDetail[] = [];
  for (const [i, entry] of entries.entries()) {
    const url = urlOf(entry);
    const message = url === undefined ? notText(entry) : urlProblem(url, rules);
    if (message !== undefined) problems.push({ parameter: `images[${i}]`, message });
    if (problems.length === MOST_PROBLEMS) break;
    urls.push(withName(url ?? "", entry));
    identities.push(rules.keyOf(url ?? "") ?? url ?? "");
  }
  if (problems.length > 0) throw new ParameterError(problems);
  return { urls, identities };
}

function arrayOf(images: unknown, most: number): readonly unknown[] {
  if (images === undefined) throw invalidParameter("images", "is required");
  if (!Array.isArray(images)) {
    throw invalidParameter("images", `must be an array of image URLs, not ${kindOf(images)}`);
  }
  if (images.length === 0) throw invalidParameter("images", "must name at least one image");
  if (images.length > most) {
    throw invalidParameter("images", `must have at most ${most} entries, not ${images.length}`);
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
 * An address with the name that its entry gives, as `POST /progress/images` answers it, for its fragment:
 * addresses of uploaded images end in their content's hash, which means nothing to people.
 */
function withName(url: string, entry: unknown): string {
  if (typeof entry !== "object" || entry === null || !("name" in entry)) return url;
  const name = typeof entry.name === "string" ? cleanName(entry.name) : "";
  const hasFragment = url.includes("#");
  if (name === "" || isDataUrl(url) || (hasFragment && !HINTED.test(url))) return url;
  // By way of bytes: half a surrogate pair cannot be encoded.
  const coded = encodeURIComponent(Buffer.from(name).toString());
  const named = hasFragment ? `${url}&name=${coded}` : `${url}#${coded}`;
  return named.length > MAX_URL_LENGTH ? url : named;
}

function urlProblem(url: string, rules: EntryRules): string | undefined {
  return isDataUrl(url) ? dataProblem(url) : addressProblem(url, rules);
}

/** What is wrong with an address that a job is to fetch from; `undefined`: nothing that can be seen from here. */
export function addressProblem(url: string, { addresses, keyOf }: EntryRules): string | undefined {
  if (url.length <= MAX_URL_LENGTH && keyOf(url) !== undefined) return undefined;
  const target = readTarget(url, addresses);
  return "refusal" in target ? target.refusal : undefined;
}

function dataProblem(url: string): string | undefined {
  try {
    const kind = imageKindOf(decodeDataUrl(url, MAX_IMAGE_BYTES).subarray(0, MAGIC_BYTES));
    return kind === undefined ? "is not a JPEG, PNG, TIFF or WebP image" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function notText(entry: unknown): string {
  return `must be a URL, or an object with a text \`url\`, not ${kindOf(entry)}`;
}
