import type { SurveyEngine } from "../../../processing/engine/port/engine.ts";
import { openEngineThread } from "../../../processing/engine/thread/engine-thread.ts";
import { openSurveyBench } from "../../support/run-survey.ts";
import { slowness } from "../../support/slowness.ts";
import { surveySet, TINY_SURVEY } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";

/** A cancelled survey ends at once, and a second run finds everything worked out: both by the clock. */
export const cancel: Check = {
  name: "cancel",
  about: "cancel within 1 s; a second run within 2 s",
  async run() {
    const { folder } = await surveySet(TINY_SURVEY);
    const bench = await openSurveyBench();
    const engines = openEngineThread({ threads: 2, memoryBytes: 1.2e9, nodeOdm: undefined });
    const engine: SurveyEngine = {
      name: "local",
      process: (input, options) =>
        engines.process({ engine: "local", rasters: undefined }, input, options),
    };
    const profile = { workingWidthPx: 480 };
    const expectations: Expectation[] = [];
    try {
      for (const stage of ["keypoints", "surface"]) {
        const ending = new AbortController();
        let atMs = 0;
        const failure = await bench
          .run(folder, {
            profile,
            engine,
            signal: ending.signal,
            onProgress(progress) {
              if (progress.stage !== stage || ending.signal.aborted) return;
              atMs = performance.now();
              ending.abort();
            },
          })
          .then(
            () => undefined,
            (error: unknown) => error,
          );
        const tookMs = performance.now() - atMs;
        const isAbort = failure instanceof DOMException && failure.name === "AbortError";
        expectations.push(holds(`cancelled in ${stage}: ends with AbortError`, isAbort));
        expectations.push(
          within(`cancelled in ${stage}: ends after`, tookMs, 0, 1_000 * slowness(), "ms"),
        );
      }
      const percents: number[] = [];
      await bench.run(folder, {
        profile,
        engine,
        onProgress: ({ percent }) => percents.push(percent),
      });
      const rises = percents.every((percent, i) => i === 0 || percent >= (percents[i - 1] ?? 0));
      expectations.push(
        holds("progress never falls and ends at 100", rises && percents.at(-1) === 100),
      );
      const startedMs = performance.now();
      await bench.run(folder, { profile, engine });
      const seconds = (performance.now() - startedMs) / 1_000;
      expectations.push(within("a second run takes", seconds, 0, 2 * slowness(), "s"));
    } finally {
      await engines.close();
      await bench.close();
    }
    return expectations;
  },
};
