import { LIMITS } from "../../../gates/gate-thresholds.ts";
import { upperMedian } from "../../../numeric/median.ts";
import { rounded } from "../../../numeric/rounding.ts";
import type { SurveyImage } from "../../camera/survey-image.ts";
import { imageUses } from "../../reconstruction/image-uses.ts";
import type { OrientedCamera, Reconstruction } from "../../reconstruction/reconstruction.ts";
import { heightSystem } from "../map/height-system.ts";
import type { ReportInput } from "./report-input.ts";
import type { Figure, SurveyReport } from "./report-schema.ts";
import { type SurfaceFigures, surfaceFigures } from "./surface-figures.ts";

/** The report's figures. Reads no clock: same input, same report. */
export function buildReport(input: ReportInput): SurveyReport {
  const { reconstruction, images, dsm, origin, map } = input;
  const times = images
    .map((image) => image.capturedAtMs)
    .filter((time) => time !== undefined)
    .sort((a, b) => a - b);
  const iso = (time: number | undefined) =>
    time === undefined ? null : new Date(time).toISOString();
  const surface = surfaceFigures(dsm);
  return {
    schema: "plumbline.survey-report/1",
    survey: {
      name: input.name,
      engine: input.engine,
      flown_from: iso(times[0]),
      flown_to: iso(times.at(-1)),
    },
    place: {
      latitude: figure(origin.latDeg, "deg", 7),
      longitude: figure(origin.lonDeg, "deg", 7),
      height: figure(input.originHeightM ?? origin.heightM, "m", 2),
      projection: map.frame.projection,
      epsg: map.frame.epsg,
      // Rounded up: it is a bound.
      map_error: figure(Math.ceil(map.errorM * 1e6) / 1e3, "mm", 3),
      heights: heightSystem(input),
    },
    images: {
      given: figure(images.length, "images", 0),
      oriented: figure(reconstruction?.cameras.length, "images", 0),
      nadir: figure(percent(reconstruction?.summary.nadirShare), "%", 0),
    },
    adjustment: adjustmentFigures(reconstruction, input.resolution?.photoPx),
    control: controlTable(reconstruction, images),
    lenses: lensFigures(reconstruction),
    surface: {
      ...surfaceSection(surface, origin.heightM),
      coverage: figure(percent(input.coverage), "%", 1),
      cell: figure(dsm.cellM, "m", 3),
      ...flightFigures(reconstruction, surface),
      matched_sample_distance: figure(centimetres(input.resolution?.matchedGsdM), "cm", 2),
      orthophoto_cell: figure(input.orthoFrame?.cellM, "m", 3),
    },
    findings: input.findings.map((finding) => ({
      gate: finding.gate,
      severity: finding.severity,
      measured: figure(finding.value, finding.unit, 3),
      limit: figure(finding.threshold, finding.unit, 3),
      advice: finding.advice,
      images: [...finding.images],
    })),
    image_table: images.map((image, i) =>
      imageRow(
        image,
        reconstruction?.cameras.find((camera) => camera.image === i),
      ),
    ),
    image_uses: imageUses(images, input.refused, input.findings, reconstruction).map(
      ({ name, use, reason }) => ({ name, use, reason: reason ?? null }),
    ),
  };
}

function figure(value: number | undefined, unit: string, digits: number): Figure {
  const isKnown = value !== undefined && Number.isFinite(value);
  return { value: isKnown ? rounded(value, digits) : null, unit };
}

function centimetres(lengthM: number | undefined): number | undefined {
  return lengthM === undefined ? undefined : lengthM * 100;
}

function percent(share: number | undefined): number | undefined {
  return share === undefined ? undefined : share * 100;
}

function adjustmentFigures(
  reconstruction: Reconstruction | undefined,
  photoPx: number | undefined,
): SurveyReport["adjustment"] {
  const summary = reconstruction?.summary;
  const observations = reconstruction?.observations.point.length;
  const points = reconstruction === undefined ? undefined : reconstruction.points.length / 3;
  const [east, north, up] = summary?.gpsBiasM ?? [];
  return {
    tie_points: figure(points, "points", 0),
    observations: figure(observations, "observations", 0),
    observations_per_point: figure((observations ?? Number.NaN) / (points ?? 0), "", 2),
    reprojection_rms: figure(summary?.rmsPx, "px", 3),
    reprojection_limit: figure(photoPx && LIMITS.rmsPx * photoPx, "px", 2),
    dropped_tracks: figure(percent(summary?.droppedTracks), "%", 1),
    gps_residual_horizontal: figure(summary?.gpsResidualM?.horizontal, "m", 3),
    gps_residual_vertical: figure(summary?.gpsResidualM?.vertical, "m", 3),
    gps_bias_east: figure(east, "m", 3),
    gps_bias_north: figure(north, "m", 3),
    gps_bias_up: figure(up, "m", 3),
    scale_sigma: figure(percent(summary?.scaleSigma), "%", 3),
    // A volume goes with the cube of the scale.
    volume_sigma_from_scale: figure(3 * (percent(summary?.scaleSigma) ?? Number.NaN), "%", 3),
    scale_from: summary?.scaleFrom ?? "unknown",
    control_rms: figure(summary?.control?.rmsM.used, "m", 3),
    check_rms: figure(summary?.control?.rmsM.check, "m", 3),
    leave_one_out_rms: figure(summary?.control?.rmsM.leaveOneOut, "m", 3),
    control_sigma_horizontal: figure(summary?.control?.sigmaM?.horizontal, "m", 3),
    control_sigma_vertical: figure(summary?.control?.sigmaM?.vertical, "m", 3),
  };
}

/** Every control point and mark; distances of marks in pixels of the files. */
function controlTable(
  reconstruction: Reconstruction | undefined,
  images: readonly SurveyImage[],
): SurveyReport["control"] {
  const points = reconstruction?.summary.control?.points ?? [];
  return points.map(({ name, use, errorM, leaveOneOutM, marks }) => ({
    name,
    use,
    error_east: figure(errorM?.[0], "m", 3),
    error_north: figure(errorM?.[1], "m", 3),
    error_up: figure(errorM?.[2], "m", 3),
    leave_one_out: figure(leaveOneOutM && Math.hypot(...leaveOneOutM), "m", 3),
    marks: marks.map(({ image, offPx, isUsed }) => ({
      image: images[image]?.name ?? "",
      used: isUsed,
      residual: figure(offPx, "px", 1),
    })),
  }));
}

function lensFigures(reconstruction: Reconstruction | undefined): SurveyReport["lenses"] {
  if (reconstruction === undefined) return [];
  const { lenses, cameras, summary } = reconstruction;
  return lenses.map((lens, i) => ({
    images: cameras.filter((camera) => camera.lens === i).length,
    width: figure(lens.widthPx, "px", 0),
    height: figure(lens.heightPx, "px", 0),
    focal_length: figure(lens.focalPx, "px", 2),
    focal_length_change: figure(percent(summary.focal[i]?.relativeChange), "%", 3),
    focal_length_sigma: figure(percent(summary.focal[i]?.relativeSigma), "%", 3),
    principal_point_x: figure(lens.cxPx, "px", 2),
    principal_point_y: figure(lens.cyPx, "px", 2),
    k1: figure(lens.k1, "", 6),
    k2: figure(lens.k2, "", 6),
    p1: figure(lens.p1, "", 6),
    p2: figure(lens.p2, "", 6),
  }));
}

/** Heights as the file has them: above whatever the origin's height is above. */
function surfaceSection(surface: SurfaceFigures, originM: number) {
  return {
    area: figure(surface.areaM2, "m2", 0),
    lowest: figure((surface.lowestM ?? Number.NaN) + originM, "m", 2),
    highest: figure((surface.highestM ?? Number.NaN) + originM, "m", 2),
    views_mean: figure(surface.viewsMean, "views", 1),
    three_views_or_more: figure(percent(surface.threeViewsShare), "%", 1),
    score_mean: figure(surface.scoreMean, "", 3),
    score_histogram: surface.scoreHistogram.map((bin) => ({ ...bin })),
  };
}

/** Height of the cameras above the tie points' middle, and the size of a pixel of the photographs there. */
function flightFigures(reconstruction: Reconstruction | undefined, surface: SurfaceFigures) {
  const up =
    reconstruction && upperMedian(reconstruction.cameras.map(({ pose }) => pose.centre[2]));
  const ground = groundHeight(reconstruction) ?? surface.lowestM;
  const flyingM = up === undefined || ground === undefined ? undefined : up - ground;
  const focalPx = reconstruction?.lenses[0]?.focalPx;
  const gsdM = flyingM === undefined || focalPx === undefined ? undefined : flyingM / focalPx;
  return {
    flying_height: figure(flyingM, "m", 1),
    ground_sample_distance: figure(centimetres(gsdM), "cm", 2),
  };
}

/** Median height of the tie points, ENU, metres. */
export function groundHeight(reconstruction: Reconstruction | undefined): number | undefined {
  return reconstruction && upperMedian(reconstruction.points.filter((_, i) => i % 3 === 2));
}

function imageRow(
  image: SurveyImage,
  camera: OrientedCamera | undefined,
): SurveyReport["image_table"][number] {
  const { quality } = image;
  const [east, north, up] = camera?.gpsResidualM ?? [];
  // Third row of the rotation: the view; its third number is -1 straight down.
  const down = camera === undefined ? undefined : -(camera.pose.rotation[8] ?? 0);
  const tiltDeg =
    down === undefined ? undefined : (Math.acos(Math.min(1, Math.max(-1, down))) * 180) / Math.PI;
  return {
    name: image.name,
    sha256: image.sha256,
    oriented: camera !== undefined,
    camera: [image.make, image.model].filter((part) => part !== undefined).join(" "),
    observations: figure(camera?.observations, "observations", 0),
    reprojection_rms: figure(camera?.rmsPx, "px", 3),
    gps_residual_east: figure(east, "m", 3),
    gps_residual_north: figure(north, "m", 3),
    gps_residual_up: figure(up, "m", 3),
    tilt: figure(tiltDeg, "deg", 1),
    sharpness: figure(quality.sharpness, "grey2", 1),
    brightness: figure(quality.brightness, "grey", 1),
    clipped: figure(percent(quality.overexposed + quality.underexposed), "%", 2),
  };
}
