import type { Capture, CaptureImage } from "../../../domain/sites/capture.ts";
import type { SiteCamera } from "../../../domain/sites/site-camera.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { CaptureFindings } from "../analysis/analyser.ts";
import type { CameraTools } from "./camera-tools.ts";
import type { SeenImage } from "./seen-images.ts";

/**
 * Images of a camera in a row that cannot be laid on its reference view, and the time between the first and the
 * last, after which it is suspended: a night of fog is over by then. Less suspends cameras for bad weather; more
 * lets a moved one go unnoticed for longer.
 */
const UNCLEAR_IMAGES = 3;
const UNCLEAR_MS = DAY_MS;
/**
 * Earlier captures that are searched for such images: read for each camera that cannot be placed. Fewer miss the
 * streak of a camera that is in one capture of many.
 */
const MOST_CAPTURES = 30;

/**
 * The cameras that a capture shows to have moved: their newest image that shows the scene shows it aside;
 * or none in a row over a day, this capture's and the earlier ones', can be laid on the reference view. One
 * picture in fog, or with a lorry before the lens, says nothing of its camera; nor does one that comes late,
 * where a newer one has been laid on the reference view meanwhile.
 */
export async function movedCameras(
  { captures }: Pick<CameraTools, "captures">,
  capture: Capture,
  seen: readonly SeenImage[],
): Promise<CaptureFindings["moved"]> {
  const cameras = new Map(
    seen.flatMap(({ camera, placement }) =>
      camera === undefined || placement === undefined ? [] : [[camera.id, camera] as const],
    ),
  );
  const moved: CaptureFindings["moved"][number][] = [];
  for (const camera of cameras.values()) {
    const mine = seen
      .filter((image) => image.camera?.id === camera.id && image.placement !== undefined)
      .toSorted((a, b) => a.takenAtMs - b.takenAtMs);
    const placed = mine.findLast(({ placement }) => placement !== "unclear");
    if (placed?.placement === "moved") {
      if (await wasPlacedAfter(captures, capture, camera, placed.takenAtMs)) continue;
      moved.push({ cameraId: camera.id, note: placed.outcome.reason ?? "" });
    }
    if (placed !== undefined) continue;
    const before = await unclearBefore(captures, capture, camera);
    const times = [...before, ...mine.map(({ takenAtMs }) => takenAtMs)];
    const [first = 0, last = 0] = [Math.min(...times), Math.max(...times)];
    if (times.length < UNCLEAR_IMAGES || last - first < UNCLEAR_MS) continue;
    const since = new Date(first).toISOString();
    const note = `none of ${times.length} images since ${since} can be laid on the reference view of camera "${camera.name}"`;
    moved.push({ cameraId: camera.id, note });
  }
  return moved;
}

/** Images of the camera in captures that came before this one. */
async function imagesBefore(
  captures: CameraTools["captures"],
  capture: Capture,
  camera: SiteCamera,
): Promise<readonly CaptureImage[]> {
  const found = await captures.list({
    projectIds: [capture.project_id],
    limit: MOST_CAPTURES,
    offset: 0,
  });
  return found.captures
    .filter(({ id, created_at }) => id !== capture.id && created_at <= capture.created_at)
    .flatMap((earlier) => earlier.images)
    .filter(({ camera_id }) => camera_id === camera.id);
}

async function wasPlacedAfter(
  captures: CameraTools["captures"],
  capture: Capture,
  camera: SiteCamera,
  takenAtMs: number,
): Promise<boolean> {
  const images = await imagesBefore(captures, capture, camera);
  return images.some(
    ({ status, taken_at }) =>
      (status === "used" || status === "low_confidence") && Date.parse(taken_at ?? "") > takenAtMs,
  );
}

/** When the unclear images of the camera were taken that come right before this capture. */
async function unclearBefore(
  captures: CameraTools["captures"],
  capture: Capture,
  camera: SiteCamera,
): Promise<readonly number[]> {
  const setAtMs = Date.parse(camera.reference_set_at);
  const images = (await imagesBefore(captures, capture, camera))
    .map((image) => ({ takenAtMs: Date.parse(image.taken_at ?? ""), isUnclear: isUnclear(image) }))
    .filter(({ takenAtMs }) => takenAtMs >= setAtMs)
    .sort((a, b) => b.takenAtMs - a.takenAtMs);
  const clear = images.findIndex((image) => !image.isUnclear);
  return (clear < 0 ? images : images.slice(0, clear)).map(({ takenAtMs }) => takenAtMs);
}

/** Images that the gate rejects have no camera. */
const isUnclear = ({ status }: CaptureImage): boolean => status === "rejected";
