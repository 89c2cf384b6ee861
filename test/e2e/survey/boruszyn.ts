import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { marksWithin } from "../../../processing/engine/port/control-names.ts";
import { readControlPointFile } from "../../../processing/engine/port/control-point-file.ts";
import { findingText, GateRefusal } from "../../../processing/gates/gates.ts";
import { imageFilesOf } from "../../../processing/images/files/folder-files.ts";
import { controlText } from "../../../processing/photogrammetry/reconstruction/control-text.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { type Check, holds, within } from "./check.ts";

/**
 * 28 photographs from a kite without positions, and control in a national grid (merkato/odm_boruszyn_kap, CC BY 3.0
 * Andrew Zaborowski). The list is of a larger flight, its marks were made on pictures 2,400 px wide, and the focal
 * length in the files is 6 % short. `BORUSZYN_DIR` names the folder.
 */
export const boruszyn: Check = {
  name: "boruszyn",
  about: "28 real kite photographs without positions, by control points in EPSG:2180 alone",
  async run({ print }) {
    const folder = process.env["BORUSZYN_DIR"];
    if (folder === undefined || !existsSync(join(folder, "images"))) {
      return { skipped: "BORUSZYN_DIR names no folder with images" };
    }
    const bench = await openSurveyBench();
    try {
      const images = await imageFilesOf(join(folder, "images"));
      const { points, note } = readControlPointFile(
        await readFile(join(folder, "gcp_list.txt"), "utf8"),
      );
      print(note);
      const refusalOf = async (controlPoints: typeof points) =>
        await bench.run(images, { input: { controlPoints } }).then(
          () => undefined,
          (error: unknown) => error,
        );
      const unknown = await refusalOf(points);
      const controlPoints = marksWithin(
        points,
        images.map(({ name }) => name),
      );
      const result = await bench.run(images, { input: { controlPoints } });
      const { reconstruction, findings, dsm } = result;
      const control = reconstruction?.summary.control;
      for (const finding of findings) print(findingText(finding));
      if (control !== undefined) print(controlText(control));
      for (const { name, use, errorM, leaveOneOutM, marks } of control?.points ?? []) {
        const metres = (error: readonly number[] | undefined) =>
          error === undefined ? "-" : error.map((e) => e.toFixed(2)).join(" ");
        print(
          `${name}: ${use}, error ${metres(errorM)} m, left out ${metres(leaveOneOutM)} m, ${marks.length} marks`,
        );
      }
      const mirrored = await refusalOf(
        controlPoints.map((point) => ({
          ...point,
          latDeg: 52.775 + (point.lonDeg - 16.637) * Math.cos((52.775 * Math.PI) / 180),
          lonDeg: 16.637 + (point.latDeg - 52.775) / Math.cos((52.775 * Math.PI) / 180),
        })),
      );
      const known = dsm.elevationM.reduce((sum, z) => sum + (Number.isNaN(z) ? 0 : 1), 0);
      const gateOf = (name: string) => findings.find(({ gate }) => gate === name);
      return [
        holds(
          "marks in images that are not there are an error that names them",
          unknown instanceof Error && unknown.message.includes("img_4881.jpg"),
        ),
        within("images oriented", reconstruction?.cameras.length ?? 0, 24, 28),
        within(
          "reprojection error, pixels of the photographs",
          reconstruction?.summary.rmsPx ?? NaN,
          1,
          4,
          "px",
        ),
        holds(
          "control points fix the scale",
          reconstruction?.summary.scaleFrom === "control_points",
        ),
        holds("marks are found to be of 2,400 px", gateOf("CONTROL_RESIZED")?.value === 2_400),
        holds(
          "control that contradicts itself by metres is reported",
          gateOf("CONTROL_INCONSISTENT") !== undefined,
        ),
        within("points left out in turn, rms", control?.rmsM.leaveOneOut ?? NaN, 0.5, 8, "m"),
        // What those points leave open: a scale "fixed to 0.5 %" would be a lie.
        within("sigma of scale", 100 * (reconstruction?.summary.scaleSigma ?? NaN), 0.5, 4, "%"),
        within("ground with heights", (known * dsm.cellM ** 2) / 10_000, 2, 12, "ha"),
        holds(
          "its mirror image is refused",
          mirrored instanceof GateRefusal && mirrored.finding.gate === "CONTROL_INCONSISTENT",
        ),
      ];
    } finally {
      await bench.close();
    }
  },
};
