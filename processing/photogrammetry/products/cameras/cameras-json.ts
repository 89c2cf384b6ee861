import { createEnuFrame } from "../../../geometry/enu.ts";
import type { SurveyImage } from "../../camera/survey-image.ts";
import type { Reconstruction } from "../../reconstruction/reconstruction.ts";
import { heightSystem } from "../map/height-system.ts";
import type { MapGrid } from "../map/map-grid.ts";
import { mapPosition } from "../map/map-position.ts";
import { photoCameras } from "./photo-cameras.ts";
import { quaternionFromRotation } from "./quaternion.ts";

/**
 * Poses and calibration as our own JSON, `plumbline.cameras/1`. Lenses are in pixels of the photographs,
 * pixel (0, 0) the middle of the upper left one. Rotations take a direction of ENU at `origin` to the
 * camera: x right, y down, z along the view; rows first.
 */
export function camerasJson(
  reconstruction: Reconstruction,
  images: readonly SurveyImage[],
  map: MapGrid,
): string {
  const { origin } = reconstruction;
  const { lenses, cameras } = photoCameras(reconstruction, images);
  const frame = createEnuFrame(origin);
  const model = {
    schema: "plumbline.cameras/1",
    origin: {
      latitude_deg: origin.latDeg,
      longitude_deg: origin.lonDeg,
      height_m: origin.heightM,
    },
    heights: heightSystem({ reconstruction }),
    map: {
      epsg: map.frame.epsg,
      projection: map.frame.projection,
      unit_m: map.frame.unitM,
    },
    lenses: lenses.map(({ lens }) => ({
      model: "brown_conrady",
      width_px: lens.widthPx,
      height_px: lens.heightPx,
      focal_px: lens.focalPx,
      cx_px: lens.cxPx,
      cy_px: lens.cyPx,
      ...{ k1: lens.k1, k2: lens.k2, p1: lens.p1, p2: lens.p2 },
    })),
    images: cameras.map(({ image, camera, lens }) => {
      const { rotation, centre } = camera.pose;
      const { lonDeg, latDeg, heightM } = frame.toGeodetic(centre);
      const { east, north } = mapPosition(map, centre[0], centre[1]);
      return {
        name: image.name,
        sha256: image.sha256,
        lens,
        latitude_deg: latDeg,
        longitude_deg: lonDeg,
        height_m: heightM,
        map: [east / map.frame.unitM, north / map.frame.unitM],
        enu_m: centre,
        sigma_m: camera.centreSigmaM ?? null,
        rotation: [...rotation],
        quaternion_wxyz: quaternionFromRotation(rotation),
        observations: camera.observations,
        rms_px: camera.rmsPx * (lenses[lens]?.scale ?? 1),
      };
    }),
  };
  return `${JSON.stringify(model, undefined, 1)}\n`;
}
