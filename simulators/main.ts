import { readSimulatorSettings } from "../config/simulator-settings.ts";
import { DomainError } from "../domain/errors.ts";
import { FLEET_HELP, parseFleetArguments } from "./fleet/arguments.ts";
import { createProgressLine } from "./fleet/progress.ts";
import { runFleet } from "./fleet/run.ts";
import { SimulatorError } from "./simulator-error.ts";

/** `npm run simulate -- fleet ...`: exit status 0 when the run ended as asked, else 1 (130: interrupted before it began). */
async function main(args: readonly string[]): Promise<number> {
  const [simulator, ...rest] = args;
  if (simulator === undefined || simulator === "--help" || simulator === "help") {
    console.log(FLEET_HELP);
    return simulator === undefined ? 1 : 0;
  }
  if (simulator !== "fleet") {
    console.error(`there is no simulator "${simulator}"; there is: fleet`);
    return 1;
  }
  return simulateFleet(rest);
}

async function simulateFleet(args: readonly string[]): Promise<number> {
  const options = parseFleetArguments(args, readSimulatorSettings(), Date.now());
  if (options === undefined) {
    console.log(FLEET_HELP);
    return 0;
  }
  const stopping = new AbortController();
  process.once("SIGINT", () => {
    console.error("\nstopping: waiting up to 5 s for acknowledgements (Ctrl-C again ends at once)");
    stopping.abort();
    process.once("SIGINT", () => process.exit(130));
  });
  process.once("SIGTERM", () => stopping.abort());
  const line = createProgressLine(process.stderr);
  try {
    const summary = await runFleet(options, {
      signal: stopping.signal,
      onProgress: (progress) => line.show(progress),
    });
    line.end();
    const missing = summary.made - summary.acknowledged;
    console.log(
      `${summary.made} readings made, ${summary.acknowledged} acknowledged${missing > 0 ? `, ${missing} not` : ""}` +
        `${summary.truthFile === undefined ? "" : `; truth in ${summary.truthFile}`}`,
    );
    return missing > 0 && !stopping.signal.aborted ? 1 : 0;
  } catch (error) {
    // Stopped before the fleet was out: there is nothing to write.
    if (stopping.signal.aborted) return 130;
    throw error;
  }
}

main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    if (error instanceof SimulatorError || error instanceof DomainError) {
      console.error(error.message);
    } else {
      console.error(error);
    }
    process.exitCode = 1;
  },
);
