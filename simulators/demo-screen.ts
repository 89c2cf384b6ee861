import { type FleetProgress, formatProgress } from "./fleet/progress.ts";
import { createProgressLine } from "./progress-line.ts";

/** What the demo tells once, above the live counts. */
export interface DemoFacts {
  readonly http: string;
  readonly mqtt: string;
  readonly key: string;
  readonly dataDir: string;
}

interface DemoScreen {
  show(facts: DemoFacts): void;
  update(progress: FleetProgress): void;
  close(): void;
}

/** The demo's one screen: addresses, key, a first request, and a line of live counts below. */
export function createDemoScreen(stream: NodeJS.WriteStream): DemoScreen {
  const line = createProgressLine(stream, formatProgress);
  let isShown = false;
  return {
    show({ http, mqtt, key, dataDir }) {
      isShown = true;
      stream.write(
        [
          "",
          "  Plumbline is running on this machine.",
          "",
          `  API       ${http}/api/v1      docs ${http}/docs`,
          `  MQTT      ${mqtt}`,
          `  API key   ${key}`,
          `  data      ${dataDir}      log ${dataDir}/demo.log`,
          "",
          "  Try:",
          `  curl -H "Authorization: Bearer ${key}" ${http}/api/v1/equipment/assets`,
          "",
          "  A simulated fleet publishes below. Ctrl-C stops everything; the data stay.",
          "",
          "",
        ].join("\n"),
      );
    },
    update: (progress) => line.show(progress),
    close() {
      if (isShown) line.end();
    },
  };
}
