import { createEnuFrame } from "../../../geometry/enu.ts";
import { vectorFromRotation } from "../../../geometry/rotation.ts";
import type { SurveyImage } from "../../camera/survey-image.ts";
import type { Reconstruction } from "../../reconstruction/reconstruction.ts";
import { photoCameras } from "./photo-cameras.ts";

/** OpenSfM's `reconstruction.json` and OpenDroneMap's `shots.geojson`. */
export interface OpensfmFiles {
  readonly reconstruction: string;
  readonly shots: string;
}

/**
 * The reconstruction as OpenSfM writes it (opensfm.org, "Reconstruction file format"): camera model `brown`,
 * lengths in units of the longer edge of the image, rotations from world to camera as an axis times the
 * angle, ENU at `reference_lla`. And where each photograph was taken, as GeoJSON (WGS 84).
 * @param colours three bytes for each tie point
 */
export function opensfmFiles(
  reconstruction: Reconstruction,
  images: readonly SurveyImage[],
  colours: Uint8Array,
): OpensfmFiles {
  const { origin, points } = reconstruction;
  const { lenses, cameras } = photoCameras(reconstruction, images);
  const names = lenses.map(({ lens }, i) => {
    const image = cameras.find((camera) => camera.lens === i)?.image;
    const maker = [image?.make, image?.model].filter((part) => part !== undefined).join(" ");
    return `v2 ${maker || "unknown"} ${lens.widthPx} ${lens.heightPx} brown ${i + 1}`.toLowerCase();
  });
  const models = lenses.map(({ lens }) => {
    const { widthPx, heightPx, focalPx, cxPx, cyPx, k1, k2, p1, p2 } = lens;
    const size = Math.max(widthPx, heightPx);
    return {
      projection_type: "brown",
      width: widthPx,
      height: heightPx,
      focal_x: focalPx / size,
      focal_y: focalPx / size,
      c_x: (cxPx + 0.5 - widthPx / 2) / size,
      c_y: (cyPx + 0.5 - heightPx / 2) / size,
      ...{ k1, k2, p1, p2, k3: 0 },
    };
  });
  const poses = cameras.map(({ image, camera, lens, translation }) => ({
    image,
    lens,
    centre: camera.pose.centre,
    shot: {
      rotation: vectorFromRotation(camera.pose.rotation),
      translation,
      camera: names[lens],
      // Pixels are as they are stored (docs/photogrammetry.md#traps-of-real-images).
      orientation: 1,
      ...(image.capturedAtMs === undefined ? {} : { capture_time: image.capturedAtMs / 1_000 }),
    },
  }));
  const frame = createEnuFrame(origin);
  const spread = Array.from({ length: points.length / 3 }, (_, i) => [
    String(i + 1),
    {
      coordinates: [...points.subarray(3 * i, 3 * i + 3)],
      color: [...colours.subarray(3 * i, 3 * i + 3)],
    },
  ]);
  return {
    reconstruction: `${JSON.stringify([
      {
        cameras: Object.fromEntries(names.map((name, i) => [name, models[i]])),
        shots: Object.fromEntries(poses.map(({ image, shot }) => [image.name, shot])),
        points: Object.fromEntries(spread),
        reference_lla: {
          latitude: origin.latDeg,
          longitude: origin.lonDeg,
          altitude: origin.heightM,
        },
      },
    ])}\n`,
    shots: `${JSON.stringify({
      type: "FeatureCollection",
      features: poses.map(({ image, lens, centre, shot }) => {
        const { lonDeg, latDeg, heightM } = frame.toGeodetic(centre);
        return {
          type: "Feature",
          properties: {
            filename: image.name,
            focal: models[lens]?.focal_x,
            width: image.widthPx,
            height: image.heightPx,
            ...shot,
          },
          geometry: { type: "Point", coordinates: [lonDeg, latDeg, heightM] },
        };
      }),
    })}\n`,
  };
}
