import { Presets, SingleBar } from "cli-progress";
import type { MigrationStep } from "../storage/migration/migrate-data.ts";

/** Shows how far a migration has come. */
export interface ProgressBar {
  show(step: MigrationStep): void;
  /** Ends the line. */
  stop(): void;
}

/** How often a log gets a line where there is no terminal, ms. */
const LINE_EVERY_MS = 5_000;

/** A bar on a terminal, a line now and then elsewhere. */
export function createProgressBar(stream: NodeJS.WriteStream): ProgressBar {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WriteStream): ProgressBar {
  const format = "{phase} {bar} {percentage} %, {items} {unit}, {eta_formatted} left";
  const single = new SingleBar({ stream, format, hideCursor: true }, Presets.shades_classic);
  let phase: string | undefined;
  return {
    show(step) {
      const { done, total, items } = step;
      const texts = { phase: step.phase.padEnd(9), items, unit: unitOf(step) };
      if (phase !== step.phase) {
        if (phase !== undefined) single.stop();
        phase = step.phase;
        single.start(total, done, texts);
      }
      single.update(done, texts);
    },
    stop: () => single.stop(),
  };
}

function lines(stream: NodeJS.WriteStream): ProgressBar {
  let phase: string | undefined;
  let saidMs = 0;
  return {
    show(step) {
      const nowMs = performance.now();
      if (phase === step.phase && nowMs - saidMs < LINE_EVERY_MS) return;
      phase = step.phase;
      saidMs = nowMs;
      const percent = step.total === 0 ? 100 : Math.floor((100 * step.done) / step.total);
      stream.write(`${step.phase}: ${percent} %, ${step.items} ${unitOf(step)}\n`);
    },
    stop: () => undefined,
  };
}

const unitOf = ({ phase }: MigrationStep): string =>
  ({
    records: "rows",
    telemetry: "points",
    verify: "rows and points",
    journal: "records",
    compare: "records",
  })[phase];
