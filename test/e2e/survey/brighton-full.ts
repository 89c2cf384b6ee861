import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { profileFor } from "../../../processing/engine/port/profiles.ts";
import { brightonBeachFolder } from "../../support/brighton-beach.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { compareCircles, compareWithCloud, TURNED } from "./brighton-beach.ts";
import { type Check, holds, within } from "./check.ts";

const MIB = 1024 ** 2;
/** Memory of the tasks and arrays, and what the process takes beside them: code, decoders, the file cache's maps. */
const MEMORY_BYTES = 3 * 1024 ** 3;
const BESIDE_MIB = 1_024;

/** Real photographs of 4000 px at their own resolution (issue 16, Must show 3). Takes a quarter of an hour of CPU. */
export const brightonFull: Check = {
  name: "brighton-full",
  about:
    "18 real photographs of 4000 px in `full`, the orthophoto at native resolution; --results DIR keeps stages and products",
  async run({ print, results }) {
    const folder = brightonBeachFolder();
    if (folder === undefined) {
      return { skipped: "BRIGHTON_BEACH_DIR names no folder with images" };
    }
    const bench = await openSurveyBench(2, MEMORY_BYTES);
    try {
      const startedMs = performance.now();
      let [stage, tens] = ["", -1];
      const result = await bench.run(join(folder, "images"), {
        profile: profileFor("full", "native"),
        ...(results && {
          input: { workDir: join(results, "stages"), outDir: join(results, "products") },
        }),
        onProgress: (progress) => {
          const ten = Math.floor(progress.percent / 10);
          if (progress.stage === stage && ten === tens) return;
          [stage, tens] = [progress.stage, ten];
          print(
            `${seconds(performance.now() - startedMs)} s: ${stage}, ${progress.percent.toFixed(0)} %`,
          );
        },
      });
      const { user, system } = process.cpuUsage();
      const peakMib = process.resourceUsage().maxRSS / 1_024;
      print(
        `CPU ${seconds((user + system) / 1_000)} s, peak RSS ${peakMib.toFixed(0)} MiB of ` +
          `${MEMORY_BYTES / MIB} for tasks and arrays; ` +
          result.timings
            .map(({ stage: name, seconds: s }) => `${name} ${s.toFixed(0)} s`)
            .join(", "),
      );
      const { reconstruction, resolution, findings, dsm, ortho } = result;
      const conflict = findings.find(({ gate }) => gate === "TAG_CONFLICT");
      print(findings.map(({ gate, value }) => `${gate} ${value}`).join(", "));
      const photoCm = 100 * (resolution?.photoGsdM ?? Number.NaN);
      const matchedCm = 100 * (resolution?.matchedGsdM ?? Number.NaN);
      const [cellCm, orthoCm] = [100 * dsm.cellM, 100 * (ortho?.cellM ?? Number.NaN)];
      print(
        `photographs ${photoCm.toFixed(2)} cm, surface ${dsm.width} x ${dsm.height} cells of ` +
          `${cellCm.toFixed(2)} cm, orthophoto ${ortho?.width} x ${ortho?.height} of ${orthoCm.toFixed(2)} cm`,
      );
      const report = JSON.parse(await readFile(result.products.reportJson, "utf8"));
      const { difference, circles } = await compareWithCloud(folder, result, print);
      return [
        holds("18 of 18 images are oriented", reconstruction?.cameras.length === 18),
        holds("exactly 0024 to 0029 are found turned", conflict?.images.join() === TURNED.join()),
        // 40 m above ground and 2310 pixels of focal length by the tags.
        within("ground sample distance of the photographs", photoCm, 1.2, 2.0, "cm"),
        holds(
          "the report has it",
          report.surface.ground_sample_distance.value === Number(photoCm.toFixed(2)),
        ),
        within(
          "of the images as the surface was matched, of that",
          matchedCm / photoCm,
          0.99,
          1.01,
        ),
        within("cells of the surface, of two pixels", cellCm / photoCm / 2, 0.99, 1.2),
        within("cells of the orthophoto, of a pixel", orthoCm / photoCm, 0.99, 1.2),
        within("NMAD against the cloud", 100 * difference.nmadM, 1, 4, "cm"),
        within("peak RSS", peakMib, 200, MEMORY_BYTES / MIB + BESIDE_MIB, "MiB"),
        ...compareCircles(circles, print),
      ];
    } finally {
      await bench.close();
    }
  },
};

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(0);
}
