import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  SURVEY_DEFAULTS,
  type SurveyOptions,
  usualObliques,
} from "../../../simulators/survey/options/options.ts";
import { runSurvey } from "../../../simulators/survey/run.ts";
import { type Check, holds } from "./check.ts";

/** Small images: what could differ does not depend on their size. */
const WIDTH_PX = 400;

/** Equal options give equal bytes on any number of threads; another seed or epoch gives others. */
export const reproducible: Check = {
  name: "reproducible",
  about: "the simulator writes the same bytes for the same options",
  async run({ images, print }) {
    const options: SurveyOptions = {
      ...SURVEY_DEFAULTS,
      widthPx: WIDTH_PX,
      images,
      obliques: usualObliques(images),
      readoutMs: 20,
      controlPoints: 4,
    };
    const two = await digest(options, 2);
    const three = await digest(options, 3);
    const otherSeed = await digest({ ...options, seed: options.seed + 1 }, 2);
    const otherEpoch = await digest({ ...options, epoch: 2 }, 2);
    print(`${two.size} files of ${images} images of ${WIDTH_PX} px`);
    const differing = [...two].filter(([name, hash]) => three.get(name) !== hash);
    const shared = (other: ReadonlyMap<string, string>) =>
      [...two].filter(([name, hash]) => name.endsWith(".JPG") && other.get(name) === hash).length;
    return [
      // Images, three rasters, gcp_list.txt and truth.json.
      holds(`${images + 5} files were written`, two.size === images + 5),
      holds(
        `two and three threads write the same bytes (${differing.length} files differ)`,
        three.size === two.size && differing.length === 0,
      ),
      holds(`another seed shares no image (${shared(otherSeed)})`, shared(otherSeed) === 0),
      holds(`another epoch shares no image (${shared(otherEpoch)})`, shared(otherEpoch) === 0),
    ];
  },
};

/** SHA-256 of every file that a run writes, by name. */
async function digest(options: SurveyOptions, workers: number): Promise<Map<string, string>> {
  const out = await mkdtemp(join(tmpdir(), "plumbline-reproducible-"));
  try {
    await runSurvey(options, { out, workers, signal: new AbortController().signal });
    const hashes = new Map<string, string>();
    for (const name of (await readdir(out)).sort()) {
      hashes.set(
        name,
        createHash("sha256")
          .update(await readFile(join(out, name)))
          .digest("hex"),
      );
    }
    return hashes;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
