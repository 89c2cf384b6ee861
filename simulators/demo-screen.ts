import { createProgressLine } from "./command-line/progress-line.ts";
import { type FleetProgress, formatProgress } from "./fleet/progress.ts";

/** What the demo prints once, above the live counts. */
export interface DemoFacts {
  readonly http: string;
  readonly mqtt: string;
  readonly key: string;
  readonly dataDir: string;
  readonly shown: DemoContent;
}

/** What is simulated: fleet and sites, the fleet alone, or nothing. */
export type DemoContent = "all" | "fleet" | "nothing";

interface DemoScreen {
  /** The server is at that step of its start. */
  starting(step: string): void;
  show(facts: DemoFacts): void;
  update(progress: FleetProgress): void;
  /** What is being made beside the fleet, or went wrong. */
  making(text: string): void;
  close(): void;
}

/** How often the screen says how long the server has been starting, ms: a clock that counts in seconds. */
const START_EVERY_MS = 1_000;

const ENDS = "Ctrl-C stops everything; the data stay.";
/** What is said of what is simulated, by what there is. */
const CONTENT: Readonly<Record<DemoContent, readonly string[]>> = {
  all: [
    `  A simulated fleet publishes below. ${ENDS}`,
    "  A measured stockpile and a building site, both simulated, appear within minutes.",
  ],
  fleet: [`  A simulated fleet publishes below. ${ENDS}`],
  nothing: [`  Nothing is simulated. ${ENDS}`],
};

/**
 * The demo's one screen: how far the server's start is and where its log is; then addresses, key, a first
 * request, and a line of live counts below.
 */
export function createDemoScreen(stream: NodeJS.WriteStream, log: string): DemoScreen {
  let made: string | undefined;
  // What is not ready comes first: a terminal cuts the end of the line off.
  const line = createProgressLine(stream, (progress: FleetProgress) =>
    [...(made === undefined ? [] : [made]), formatProgress(progress)].join("  |  "),
  );
  const start = createProgressLine(stream, (text: string) => text);
  const startedMs = performance.now();
  let step = "reading the program";
  let isShown = false;
  let isClosed = false;
  const showStart = () => {
    const seconds = Math.floor((performance.now() - startedMs) / 1_000);
    start.show(`  The server is starting: ${step}, ${seconds} s so far. Its log is ${log}`);
  };
  const timer = setInterval(showStart, START_EVERY_MS);
  return {
    starting(next) {
      step = next;
    },
    show({ http, mqtt, key, dataDir, shown }) {
      isShown = true;
      clearInterval(timer);
      stream.write(
        [
          "",
          "  Plumbline is running on this machine.",
          "",
          `  Console   ${http}/#key=${key}`,
          `  API       ${http}/api/v1      docs ${http}/docs`,
          `  MQTT      ${mqtt}`,
          `  API key   ${key}`,
          `  data      ${dataDir}      log ${log}`,
          "",
          "  Try:",
          `  curl -H "Authorization: Bearer ${key}" ${http}/api/v1/equipment/assets`,
          "",
          ...CONTENT[shown],
          "",
          "",
        ].join("\n"),
      );
    },
    update(progress) {
      if (!isClosed) line.show(progress);
    },
    making(text) {
      made = text;
    },
    close() {
      clearInterval(timer);
      if (isShown && !isClosed) line.end();
      isClosed = true;
    },
  };
}
