import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { SURVEY_DEFAULTS, usualObliques } from "../../simulators/survey/options/options.ts";
import { runSurvey } from "../../simulators/survey/run.ts";

/**
 * The folder in `data` with a simulated survey with RTK of so many images of 1200 px, and its truth; simulated
 * unless it is there.
 */
export async function simulatedImages(data: string, images: number): Promise<string> {
  const dir = join(data, String(images));
  // It is written last.
  if (existsSync(join(dir, "truth.json"))) return dir;
  await runSurvey(
    { ...SURVEY_DEFAULTS, gps: "rtk", images, obliques: usualObliques(images) },
    { out: dir, workers: availableParallelism(), signal: new AbortController().signal },
  );
  return dir;
}
