import { readSimulatorSettings } from "../config/simulator-settings.ts";
import { DomainError } from "../domain/errors.ts";
import { createProgressLine } from "./command-line/progress-line.ts";
import { SimulatorError } from "./command-line/simulator-error.ts";
import { FLEET_HELP, parseFleetArguments } from "./fleet/arguments.ts";
import { formatProgress } from "./fleet/progress.ts";
import { runFleet } from "./fleet/run.ts";
import { PROJECT_HELP, parseProjectArguments } from "./project/arguments.ts";
import { formatProjectProgress } from "./project/progress.ts";
import { runProject } from "./project/run.ts";
import { parseSurveyArguments, SURVEY_HELP } from "./survey/options/arguments.ts";
import { formatSurveyProgress } from "./survey/progress.ts";
import { runSurvey } from "./survey/run.ts";

const HELP = `npm run simulate -- SIMULATOR [options]

  fleet     machines on generated sites that publish to a running service
  survey    a drone's photographs of a generated site, with their truth
  project   a site that is built over months: flights, fixed cameras, plans, designs, with their truth

npm run simulate -- SIMULATOR --help lists its options.
`;

/** `npm run simulate -- fleet|survey|project ...`: exit status 0 when the run ended as asked, else 1 (130: interrupted before it was whole). */
async function main(args: readonly string[]): Promise<number> {
  const [simulator, ...rest] = args;
  if (simulator === undefined || simulator === "--help" || simulator === "help") {
    console.log(HELP);
    return simulator === undefined ? 1 : 0;
  }
  if (simulator === "fleet") return simulateFleet(rest);
  if (simulator === "survey") return simulateSurvey(rest);
  if (simulator === "project") return simulateProject(rest);
  console.error(`there is no simulator "${simulator}"; there are: fleet, survey, project`);
  return 1;
}

async function simulateFleet(args: readonly string[]): Promise<number> {
  const options = parseFleetArguments(args, readSimulatorSettings(), Date.now());
  if (options === undefined) {
    console.log(FLEET_HELP);
    return 0;
  }
  const stopping = stopOnSignal("waiting up to 5 s for acknowledgements");
  const line = createProgressLine(process.stderr, formatProgress);
  try {
    const summary = await runFleet(options, {
      signal: stopping,
      onProgress: (progress) => line.show(progress),
    });
    line.end();
    const missing = summary.made - summary.acknowledged;
    console.log(
      `${summary.made} readings made, ${summary.acknowledged} acknowledged${missing > 0 ? `, ${missing} not` : ""}` +
        `${summary.truthFile === undefined ? "" : `; truth in ${summary.truthFile}`}`,
    );
    return missing > 0 && !stopping.aborted ? 1 : 0;
  } catch (error) {
    // Stopped before the fleet was out: there is nothing to write.
    if (stopping.aborted) return 130;
    throw error;
  }
}

async function simulateSurvey(args: readonly string[]): Promise<number> {
  const asked = parseSurveyArguments(args);
  if (asked === undefined) {
    console.log(SURVEY_HELP);
    return 0;
  }
  const { options, out, workers, listPiles } = asked;
  const stopping = stopOnSignal("images that are finished stay, without truth.json");
  const line = createProgressLine(process.stderr, formatSurveyProgress);
  const startedMs = performance.now();
  try {
    const truth = await runSurvey(options, {
      out,
      workers,
      signal: stopping,
      onProgress: (progress) => line.show(progress),
    });
    line.end();
    const seconds = (performance.now() - startedMs) / 1_000;
    const piles = truth.piles.map(({ id, shape, material, volumeM3, areaM2 }) =>
      [id, shape.kind, material, `${volumeM3.toFixed(2)} m3`, `on ${areaM2.toFixed(1)} m2`].join(
        " ",
      ),
    );
    if (listPiles) console.log(piles.join("\n"));
    console.log(
      `${truth.cameras.length} images in ${seconds.toFixed(1)} s; truth in ${out}/truth.json`,
    );
    return 0;
  } catch (error) {
    if (stopping.aborted) return 130;
    throw error;
  }
}

async function simulateProject(args: readonly string[]): Promise<number> {
  const asked = parseProjectArguments(args);
  if (asked === undefined) {
    console.log(PROJECT_HELP);
    return 0;
  }
  const { options, onlyWeek, ...run } = asked;
  const stopping = stopOnSignal("images that are finished stay, without truth.json");
  const line = createProgressLine(process.stderr, formatProjectProgress);
  const startedMs = performance.now();
  try {
    const truth = await runProject(options, {
      ...run,
      ...(onlyWeek !== undefined && { onlyWeek }),
      signal: stopping,
      onProgress: (progress) => line.show(progress),
    });
    line.end();
    const seconds = (performance.now() - startedMs) / 1_000;
    console.log("true percent of each zone, week by week:");
    for (const { code, id } of truth.zones) {
      const percents = truth.weeks.map(({ zones }) => Math.round(zones[id]?.percent ?? 0));
      console.log(`${code}  ${percents.map((percent) => String(percent).padStart(3)).join(" ")}`);
    }
    const images = truth.weeks.reduce((sum, week) => sum + (week.flight?.images.length ?? 0), 0);
    const pictures = truth.cameras.reduce((sum, camera) => sum + camera.pictures.length, 0);
    console.log(
      `${images} images and ${pictures} pictures in ${seconds.toFixed(1)} s; truth in ${run.out}/truth.json`,
    );
    return 0;
  } catch (error) {
    if (stopping.aborted) return 130;
    throw error;
  }
}

/** A signal that fires at Ctrl-C or SIGTERM; a second Ctrl-C ends the process at once. */
function stopOnSignal(what: string): AbortSignal {
  const stopping = new AbortController();
  process.once("SIGINT", () => {
    console.error(`\nstopping: ${what} (Ctrl-C again ends at once)`);
    stopping.abort();
    process.once("SIGINT", () => process.exit(130));
  });
  process.once("SIGTERM", () => stopping.abort());
  return stopping.signal;
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
