import { type Static, Type } from "typebox";
import type { SurveyExport, SurveyExports } from "../../domain/sites/survey-exports.ts";
import type { FileLinks } from "../representations/file-links.ts";

const Address = (description: string) => Type.Optional(Type.String({ format: "uri", description }));

/** Addresses of what other programs want of a survey; as long good as those beside them. */
export const SurveyExportUrls = Type.Object(
  {
    point_cloud: Address(
      "Point cloud, COPC: LAZ 1.4 of point format 7, ground classified (class 2), colours",
    ),
    dtm: Address(
      "Terrain, Cloud Optimized GeoTIFF: piles are ground, buildings and machines are taken off",
    ),
    contours_geojson: Address("Contour lines of the terrain, GeoJSON (WGS 84)"),
    contours_dxf: Address(
      "Contour lines of the terrain, DXF R12, in the products' coordinate system",
    ),
    cameras: Address("Camera poses and calibration, JSON (plumbline.cameras/1)"),
    opensfm_reconstruction: Address("Poses, calibration and tie points as OpenSfM has them"),
    opensfm_shots: Address("Where each image was taken, GeoJSON, as OpenDroneMap has it"),
    colmap_cameras: Address("COLMAP's cameras.txt"),
    colmap_images: Address("COLMAP's images.txt"),
    colmap_points: Address("COLMAP's points3D.txt"),
  } satisfies Record<SurveyExport, unknown>,
  {
    title: "SurveyExportUrls",
    description:
      "Files for other programs: cameras always, the others where the request said exports: true. A given surface has no cameras; empty: made before they were kept",
  },
);
export type SurveyExportUrls = Static<typeof SurveyExportUrls>;

/** Fresh addresses of a survey's exports. */
export async function surveyExportUrls(
  exports: SurveyExports | undefined,
  links: Pick<FileLinks, "file">,
): Promise<SurveyExportUrls> {
  const urls: Partial<Record<string, string>> = {};
  for (const [name, key] of Object.entries(exports ?? {})) urls[name] = await links.file(key);
  return urls;
}
