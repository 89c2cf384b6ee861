import { Presets, SingleBar } from "cli-progress";
import type { SurveyProgress } from "../processing/engine/port/engine.ts";

/** Shows how far a survey has come. */
export interface PercentBar {
  show(progress: SurveyProgress): void;
  /** Ends the line. */
  stop(): void;
}

/** A bar on a terminal, a line for every stage elsewhere. */
export function createPercentBar(stream: NodeJS.WriteStream): PercentBar {
  let stage: string | undefined;
  if (!stream.isTTY) {
    return {
      show(progress) {
        if (progress.stage === stage) return;
        stage = progress.stage;
        stream.write(`${Math.floor(progress.percent)} %: ${stage}\n`);
      },
      stop: () => undefined,
    };
  }
  const format = "{stage} {bar} {percentage} %";
  const single = new SingleBar({ stream, format, hideCursor: true }, Presets.shades_classic);
  return {
    show(progress) {
      const texts = { stage: progress.stage.padEnd(11) };
      if (stage === undefined) single.start(100, 0, texts);
      stage = progress.stage;
      single.update(Math.floor(progress.percent), texts);
    },
    stop: () => single.stop(),
  };
}
