import type { Metadata } from "sharp";
import { DomainError } from "../../domain/errors.ts";
import type { SurveyImage } from "../photogrammetry/camera/survey-image.ts";
import type { ImageFile } from "./files/image-file.ts";
import { MAX_PIXELS, MIN_SIDE_PX } from "./files/image-limits.ts";
import { decodeGrey, openImage } from "./pixels/decode.ts";
import { imageQuality } from "./pixels/image-quality.ts";
import { readAttitude } from "./tags/attitude.ts";
import { readCaptureTime } from "./tags/capture-time.ts";
import { readFocal } from "./tags/focal.ts";
import { readPosition } from "./tags/position.ts";
import { firstNumber, readTagGroups, type TagGroups, textOf } from "./tags/tag-groups.ts";

/** Longer edge that quality is measured at, pixels: the working size of the quick profile. */
const QUALITY_EDGE_PX = 1_200;

/**
 * Reads what an image file says of itself and decodes it once, whole. For tasks.
 * @throws DomainError `IMAGE_REFUSED` naming the image: damaged, too large, too small, several pages,
 * or no JPEG, PNG, TIFF or WebP.
 */
export async function readImage(file: ImageFile): Promise<SurveyImage> {
  const header = await explained(file, async () => (await openImage(file.path)).metadata());
  const problem = problemOf(header);
  if (problem !== undefined) throw refused(file, problem);
  const grey = await explained(file, () => decodeGrey(file.path, QUALITY_EDGE_PX));
  const groups = await readTagGroups(file.path);
  const { width: widthPx, height: heightPx } = header;
  return {
    sha256: file.sha256,
    name: file.name,
    widthPx,
    heightPx,
    ...factsOf(groups),
    capturedAtMs: readCaptureTime(groups["exif"]),
    focal: readFocal(groups, widthPx),
    position: readPosition(groups),
    gimbal: readAttitude(groups),
    quality: imageQuality(grey),
  };
}

function factsOf(groups: TagGroups) {
  const { ifd0, exif, "drone-dji": dji, Camera: camera } = groups;
  const orientation = firstNumber(ifd0, "Orientation") ?? 1;
  return {
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    make: textOf(ifd0?.["Make"] ?? groups["tiff"]?.["Make"]),
    model: textOf(ifd0?.["Model"] ?? groups["tiff"]?.["Model"]),
    serial: textOf(
      exif?.["BodySerialNumber"] ??
        exif?.["SerialNumber"] ??
        dji?.["CameraSerialNumber"] ??
        dji?.["DroneSerialNumber"] ??
        camera?.["SerialNumber"],
    ),
    software: textOf(ifd0?.["Software"]),
    relativeAltitudeM:
      firstNumber(dji, "RelativeAltitude") ??
      firstNumber(camera, "AboveGroundAltitude") ??
      firstNumber(groups["drone-parrot"], "AboveGroundAltitude"),
  };
}

/** Why an image is refused by its header, in words that follow its name. */
function problemOf({ width, height, pages = 1 }: Metadata): string | undefined {
  if (pages > 1) return `has ${pages} pages; a survey image has one`;
  if (Math.min(width, height) < MIN_SIDE_PX) {
    return `is ${width} x ${height} pixels; each side must have ${MIN_SIDE_PX} or more`;
  }
  return undefined;
}

const refused = ({ name }: ImageFile, problem: string, options?: ErrorOptions): DomainError =>
  new DomainError("IMAGE_REFUSED", `${name} ${problem}`, options);

/** The decoder's complaints in words of ours: its own may show paths, and change between versions. */
async function explained<T>(file: ImageFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const problem = /pixel limit|too large/i.test(message)
      ? `has more than ${MAX_PIXELS / 1e6} million pixels`
      : /timeout/i.test(message)
        ? "takes too long to decode"
        : "is damaged, or is not a JPEG, PNG, TIFF or WebP image";
    throw refused(file, problem, { cause: error });
  }
}
