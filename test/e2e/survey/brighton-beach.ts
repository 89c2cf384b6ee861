import { join } from "node:path";
import { brightonBeachCloud, brightonBeachFolder } from "../../support/brighton-beach.ts";
import { cloudDifference } from "../../support/cloud-difference.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { type Check, holds, within } from "./check.ts";

/** Images that a picture viewer has turned by 180 degrees (PHOTOGRAMMETRY.md section 2). */
const TURNED = [24, 25, 26, 27, 28, 29].map((number) => `DJI_00${number}.JPG`);

/** Real images against OpenDroneMap's cloud of the same flight (issue 5, Must show 2). */
export const brightonBeach: Check = {
  name: "brighton-beach",
  about:
    "18 real images: all oriented, the six turned ones found, the surface against another program's",
  async run({ print }) {
    const folder = brightonBeachFolder();
    if (folder === undefined) {
      return { skipped: "BRIGHTON_BEACH_DIR names no folder with images" };
    }
    const bench = await openSurveyBench();
    try {
      const result = await bench.run(join(folder, "images"), {
        profile: { workingWidthPx: 1_600, dsmCellGsd: 2, maxKeypoints: 2_500 },
      });
      const { reconstruction, findings, dsm, origin } = result;
      const conflict = findings.find(({ gate }) => gate === "TAG_CONFLICT");
      const rmsPx = reconstruction?.summary.rmsPx ?? Number.NaN;
      print(`${findings.map(({ gate, value }) => `${gate} ${value}`).join(", ")}`);
      print(`turned: ${conflict?.images.join(" ")}`);
      const difference = cloudDifference(await brightonBeachCloud(folder, origin), dsm);
      print(
        `${difference.points} points of the cloud, ${(100 * difference.within10Cm).toFixed(1)} % within 10 cm`,
      );
      return [
        holds("18 of 18 images are oriented", reconstruction?.cameras.length === 18),
        within("reprojection error", rmsPx, 0.2, 0.7, "px"),
        holds("exactly 0024 to 0029 are found turned", conflict?.images.join() === TURNED.join()),
        within("points compared", difference.points, 50_000, 400_000),
        within("NMAD against the cloud", 100 * difference.nmadM, 1, 4, "cm"),
      ];
    } finally {
      await bench.close();
    }
  },
};
