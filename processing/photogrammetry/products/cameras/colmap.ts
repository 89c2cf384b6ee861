import { project } from "../../camera/camera.ts";
import type { SurveyImage } from "../../camera/survey-image.ts";
import type { Reconstruction } from "../../reconstruction/reconstruction.ts";
import { photoCameras } from "./photo-cameras.ts";
import { quaternionFromRotation } from "./quaternion.ts";

/** The three files of COLMAP's text format. */
export interface ColmapModel {
  readonly cameras: string;
  readonly images: string;
  readonly points: string;
}

/**
 * The reconstruction in COLMAP's text format (colmap.github.io/format.html): camera from world in the
 * survey's ENU frame, quaternions with w first, y down, camera model OPENCV in pixels of the photographs,
 * the middle of the upper left pixel at (0.5, 0.5). COLMAP splits lines at blanks, so a blank in an image's
 * name becomes an underscore.
 * @param colours three bytes for each tie point
 */
export function colmapModel(
  reconstruction: Reconstruction,
  images: readonly SurveyImage[],
  colours: Uint8Array,
): ColmapModel {
  const { lenses, cameras } = photoCameras(reconstruction, images);
  const { points, observations } = reconstruction;
  const cameraLines = lenses.map(({ lens }, i) => {
    const { widthPx, heightPx, focalPx, cxPx, cyPx, k1, k2, p1, p2 } = lens;
    const params = [focalPx, focalPx, cxPx + 0.5, cyPx + 0.5, k1, k2, p1, p2];
    return `${i + 1} OPENCV ${widthPx} ${heightPx} ${params.join(" ")}`;
  });
  const seen = cameras.map((): string[] => []);
  const tracks = Array.from({ length: points.length / 3 }, (): string[] => []);
  for (const [i, point] of observations.point.entries()) {
    const camera = observations.camera[i] ?? 0;
    const marks = seen[camera];
    const lens = lenses[cameras[camera]?.lens ?? 0];
    if (marks === undefined || lens === undefined) continue;
    tracks[point]?.push(`${camera + 1} ${marks.length}`);
    const u = ((observations.u[i] ?? 0) + 0.5) * lens.scale;
    const v = ((observations.v[i] ?? 0) + 0.5) * lens.scale;
    marks.push(`${u.toFixed(4)} ${v.toFixed(4)} ${point + 1}`);
  }
  const imageLines = cameras.flatMap(({ image, camera, lens, translation }, i) => {
    const pose = [...quaternionFromRotation(camera.pose.rotation), ...translation].join(" ");
    const name = image.name.replaceAll(/\s/g, "_");
    return [`${i + 1} ${pose} ${lens + 1} ${name}`, seen[i]?.join(" ") ?? ""];
  });
  const errors = meanErrors(
    reconstruction,
    cameras.map(({ lens }) => lenses[lens]?.scale ?? 1),
  );
  const pointLines = tracks.map((track, i) => {
    const place = points.subarray(3 * i, 3 * i + 3).join(" ");
    const colour = colours.subarray(3 * i, 3 * i + 3).join(" ");
    return `${i + 1} ${place} ${colour} ${(errors[i] ?? 0).toFixed(4)} ${track.join(" ")}`;
  });
  const text = (head: string, lines: readonly string[]) => `# ${head}\n${lines.join("\n")}\n`;
  return {
    cameras: text("CAMERA_ID MODEL WIDTH HEIGHT PARAMS[]", cameraLines),
    images: text(
      "IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME, then X Y POINT3D_ID of each mark; ENU metres",
      imageLines,
    ),
    points: text(
      "POINT3D_ID X Y Z R G B ERROR TRACK[] (IMAGE_ID POINT2D_IDX); ENU metres",
      pointLines,
    ),
  };
}

/** Mean distance of each tie point's marks from its image, pixels of the photographs. */
function meanErrors(
  { points, cameras, lenses, observations }: Reconstruction,
  scales: readonly number[],
): Float64Array {
  const sums = new Float64Array(points.length / 3);
  const counts = new Int32Array(sums.length);
  const image = { u: 0, v: 0, depth: 0 };
  for (const [i, point] of observations.point.entries()) {
    const index = observations.camera[i] ?? 0;
    const camera = cameras[index];
    const lens = lenses[camera?.lens ?? 0];
    if (camera === undefined || lens === undefined) continue;
    const [x = 0, y = 0, z = 0] = points.subarray(3 * point, 3 * point + 3);
    if (!project(lens, camera.pose, [x, y, z], image)) continue;
    const distance = Math.hypot(
      image.u - (observations.u[i] ?? 0),
      image.v - (observations.v[i] ?? 0),
    );
    sums[point] = (sums[point] ?? 0) + distance * (scales[index] ?? 1);
    counts[point] = (counts[point] ?? 0) + 1;
  }
  return sums.map((sum, i) => sum / Math.max(1, counts[i] ?? 0));
}
