import type { CaptureImage, CaptureType } from "../../../domain/sites/capture.ts";
import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
import { outcomeOf } from "../../images/image-outcome.ts";
import { storedAs } from "../analysis/shown-url.ts";
import type { CameraTools } from "./camera-tools.ts";
import type { CandidateCamera, ReadView, SeenZone } from "./features/read-view.ts";
import { READ_VIEW } from "./features/tasks.ts";
import { type GatedEntry, type GatedImage, rejectedImage } from "./gated-images.ts";
import type { ImagePlace } from "./place-image.ts";
import type { LoadCamera } from "./reference-views.ts";
import type { FrameMap } from "./view/frame-map.ts";
import { MOST_SHIFT } from "./view/register-view.ts";

/** What became of an image, and what it shows. */
export interface SeenImage {
  readonly outcome: CaptureImage;
  readonly takenAtMs: number;
  readonly sha256: string;
  /** How it lies against its camera's reference view. */
  readonly placement: "registered" | "moved" | "unclear" | undefined;
  /** `undefined`: a photograph without a fixed view, or of no camera. */
  readonly camera: SiteCamera | undefined;
  readonly map: FrameMap | undefined;
  readonly zones: readonly SeenZone[];
  /** `undefined` unless it shows zones. */
  readonly jpeg: Uint8Array | undefined;
}

type Tools = Pick<CameraTools, "pool"> & { readonly load: LoadCamera };

interface SeeOptions {
  readonly captureType: CaptureType;
  readonly takenAtMs: number;
  readonly signal: AbortSignal;
}

/** Reads one image of a capture. @throws what `signal` fires with; DomainError `STORE_UNAVAILABLE`. */
export async function seeImage(
  tools: Tools,
  { url }: GatedEntry,
  image: GatedImage,
  place: ImagePlace,
  options: SeeOptions,
): Promise<SeenImage> {
  const { takenAtMs } = options;
  const taken = {
    url,
    ...storedAs(image.file),
    taken_at: new Date(takenAtMs).toISOString(),
  };
  const { name, sha256 } = image.file;
  const nothing = { takenAtMs, sha256, placement: undefined, camera: undefined, ...NOTHING_SEEN };
  const refused = (reason: string, status: CaptureImage["status"] = "rejected"): SeenImage => ({
    ...nothing,
    outcome: { ...rejectedImage(url, reason), ...taken, status },
  });
  if (place.kind === "none") return refused(`${name} ${place.reason}`, "not_used");
  const cameras = place.kind === "cameras" ? place.cameras : [];
  const [only] = cameras;
  if (only !== undefined && cameras.length === 1 && place.kind === "cameras" && place.isNamed) {
    if (only.state === "suspended") {
      return { ...nothing, camera: only, outcome: suspendedImage(taken, only, name) };
    }
  }
  const candidates: CandidateCamera[] = [];
  for (const camera of cameras) {
    const loaded = await tools.load(camera);
    if ("value" in loaded) candidates.push(loaded.value);
    else if (cameras.length === 1) return refused(loaded.refused, "not_used");
  }
  if (place.kind === "cameras" && candidates.length === 0) {
    return refused(`${name} has no camera whose reference view can be read`, "not_used");
  }
  const read = await outcomeOf(name, () =>
    tools.pool.run(
      READ_VIEW,
      {
        file: { path: image.file.path, name, orientation: image.image.orientation },
        candidates,
        wholeZones: place.kind === "photograph" ? [place.zoneId] : [],
      },
      options.signal,
    ),
  );
  if ("refused" in read) return refused(read.refused);
  const { match, zones, jpeg } = read.value;
  if (match === undefined) {
    return { ...nothing, zones, jpeg, outcome: { ...taken, status: "used" } };
  }
  const camera = cameras.find(({ id }) => id === match.cameraId);
  const isMeant =
    match.registration.kind === "registered" || isOf(place, candidates, options, match);
  if (camera === undefined || !isMeant) {
    return refused(
      `${name} shows what no reference view of the project's cameras shows`,
      "not_used",
    );
  }
  if (camera.state === "suspended") {
    return { ...nothing, camera, outcome: suspendedImage(taken, camera, name) };
  }
  return { ...nothing, ...matched(match, camera, name, taken), ...seenOf(read.value) };
}

const NOTHING_SEEN = { map: undefined, zones: [], jpeg: undefined } as const;

type Match = NonNullable<ReadView["match"]>;

/**
 * Whether an image that does not lie on a reference view is of that camera nevertheless: somebody said so;
 * or it is of fixed cameras, and shows the scene elsewhere, or there is but one camera.
 */
function isOf(
  place: ImagePlace,
  candidates: readonly CandidateCamera[],
  { captureType }: SeeOptions,
  { registration }: Match,
): boolean {
  if (place.kind === "cameras" && place.isNamed) return true;
  return captureType === "cctv" && (registration.kind === "moved" || candidates.length === 1);
}

function seenOf({ match, zones, jpeg }: ReadView): Pick<SeenImage, "map" | "zones" | "jpeg"> {
  if (match?.registration.kind !== "registered") return NOTHING_SEEN;
  return { map: match.registration.map, zones, jpeg };
}

function matched(
  { registration, changeIndex }: Match,
  camera: SiteCamera,
  name: string,
  taken: Pick<CaptureImage, "url" | "stored_key" | "taken_at">,
): Pick<SeenImage, "placement" | "camera" | "outcome"> {
  const { kind: placement, agreement } = registration;
  const camera_id = camera.id;
  const found = `${Math.round(100 * agreement)} % of what lasts in the reference view was found`;
  if (registration.kind === "registered") {
    const change_index = Math.round(1_000 * (changeIndex ?? 0)) / 1_000;
    return { placement, camera, outcome: { ...taken, status: "used", camera_id, change_index } };
  }
  if (registration.kind === "moved") {
    const reason = `${name} lies ${percentText(registration.shiftShare)} of its width beside the reference view of camera "${camera.name}" (${percentText(MOST_SHIFT)} at most): the camera moved`;
    return { placement, camera, outcome: { ...taken, status: "camera_moved", camera_id, reason } };
  }
  const reason = `${name} cannot be laid on the reference view of camera "${camera.name}": ${found}. Fog, darkness, something before the lens, or a camera that was turned`;
  return { placement, camera, outcome: { ...taken, status: "rejected", camera_id, reason } };
}

function suspendedImage(
  taken: Pick<CaptureImage, "url" | "stored_key" | "taken_at">,
  { id, name, suspended_at }: SiteCamera,
  image: string,
): CaptureImage {
  const since = suspended_at === undefined ? "" : ` since ${suspended_at}`;
  return {
    ...taken,
    status: "camera_moved",
    camera_id: id,
    reason: `${image} is of camera "${name}", which is suspended${since}: it needs a new reference view`,
  };
}

const percentText = (share: number): string => `${Math.round(100 * share)} %`;
