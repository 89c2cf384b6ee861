import { join } from "node:path";
import type { DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import type { StockpileRecords } from "../../../storage/ports/sites/stockpiles.ts";
import type { SurveyResult } from "../../engine/port/engine.ts";
import type { SurveyEngines } from "../../engine/survey-engines.ts";
import { isPlaced } from "../../epoch/align-survey.ts";
import { measuredAtMs } from "../../epoch/capture-time.ts";
import { findCompanions } from "../../epoch/companions.ts";
import { kindOf, surveyFacts } from "../../epoch/survey-facts.ts";
import { KEEP_BASIS } from "../../epoch/tasks.ts";
import { findingText } from "../../gates/gates.ts";
import type { GridFrame } from "../../grid/elevation-grid.ts";
import type { ImageFile } from "../../images/files/image-file.ts";
import type { ImageFolder } from "../../images/files/image-folder.ts";
import type { ImageResolver } from "../../images/resolve-images.ts";
import { verticalDatum } from "../../photogrammetry/products/map/height-system.ts";
import { withProductFolder } from "../../survey/product-folder.ts";
import type { AnalyserInput, CaptureAnalyser } from "../analysis/analyser.ts";
import { ANALYSE_FLIGHT } from "./analysis/tasks.ts";
import { type EarlierFlights, earlierFlights } from "./earlier-flights.ts";
import { type FlightMetadata, readFlightMetadata } from "./flight-metadata.ts";
import {
  type FetchedFlight,
  fetchFlight,
  imagesOf,
  placesItself,
  SURVEYED,
  surveyFlight,
} from "./flight-survey.ts";
import { storeFlight } from "./store-flight.ts";
import { otherRings, zoneInputs, zonesExtent } from "./zone-inputs.ts";

/** What drone captures are worked on with. */
export interface FlightTools {
  readonly engines: SurveyEngines;
  readonly images: ImageResolver;
  /** Holds the images of earlier flights for some days. */
  readonly folder: Pick<ImageFolder, "find">;
  readonly files: FileStore;
  /** Admits the files of a job on this machine. */
  readonly disk: DiskSpace;
  readonly captures: Pick<CaptureRecords, "datum" | "newestFlight" | "estimates">;
  readonly stockpiles: Pick<StockpileRecords, "list">;
  /** Folder of finished stages, kept over restarts. */
  readonly workDir: string;
}

/** Where the zones end, % of the capture: only the bar of progress depends on it. */
const ANALYSED = 96;

/**
 * Analyses drone captures: a surface by the engine, or the one that was given
 * (`flight_metadata.dsm_url`, or a GeoTIFF as the only image); brought into the frame of the project's
 * earlier flights; its zones against their designs (task `analyse-flight`). Products, what volumes are computed from,
 * the epoch for the flights to come and the map lie in the attempt's folder of the file store.
 */
export function createFlightAnalyser(tools: FlightTools): CaptureAnalyser {
  const { engines, images, files, workDir } = tools;
  return {
    async analyse(input, options) {
      const { job, capture, images: entries, zones } = input;
      const { signal, onProgress } = options;
      const requestedAtMs = Date.parse(capture.created_at);
      const metadata = readFlightMetadata(capture.flight_metadata);
      const fetched = await fetchFlight(images, entries, metadata, options);
      return await withProductFolder(tools, job, async (outDir) => {
        const copies = join(outDir, "surfaces");
        const about = {
          projectId: capture.project_id,
          untilMs: metadata.flownAtMs ?? requestedAtMs,
        };
        const earlier = await earlierFlights(tools, about, copies, signal);
        const companions = await companionsOf(tools, earlier, fetched, metadata, signal);
        const asked = { fetched, metadata, companions, largeExtent: zonesExtent(zones) };
        const folders = { workDir, outDir };
        const result = await surveyFlight(engines, input, asked, folders, options);
        onProgress("measuring zones", SURVEYED);
        const captureDateMs = captureDate(metadata, result, requestedAtMs);
        const when = { captureDateMs, datumId: earlier.datum?.id };
        const { ortho } = result;
        const survey = surveyFacts(result, fetched.images?.files ?? []);
        const flight = await engines.run(
          ANALYSE_FLIGHT,
          {
            captureId: capture.id,
            survey,
            ortho: ortho && frameOf(ortho),
            datum: earlier.datum,
            earlier: earlier.epochs.map(({ head: _, ...file }) => file),
            companions: companions.map(({ sha256, path }) => ({ sha256, kind: kindOf(path) })),
            zones: await zoneInputs(tools, zones, when, copies, signal),
            changing: [...otherRings(zones), ...(await stockpileRings(tools, input))],
          },
          signal,
        );
        const basis = await engines.run(KEEP_BASIS, survey, signal);
        onProgress("storing products", ANALYSED);
        const made = {
          products: result.products,
          basis,
          georeferencing: survey.georeferencing,
          verticalDatum: verticalDatum(result),
          flight,
          datum: earlier.datum,
        };
        return {
          captureDateMs,
          images: imagesOf(fetched, entries, result),
          estimates: flight.estimates,
          ...(await storeFlight(files, input, made, signal)),
          views: [],
          moved: [],
          warnings: [
            ...metadata.warnings,
            ...fetched.warnings,
            ...result.findings.map(findingText),
            ...flight.warnings,
          ],
        };
      });
    },
  };
}

/** Pictures stay here. */
const frameOf = ({ westM, northM, cellM, width, height }: GridFrame): GridFrame => ({
  ...{ westM, northM, cellM, width, height },
});

/** flown_at, else the newest time of the images, else when the capture came (docs/rules.md#captures); never later. */
function captureDate(
  { flownAtMs }: FlightMetadata,
  { images }: SurveyResult,
  requestedAtMs: number,
): number {
  return measuredAtMs(images, requestedAtMs, flownAtMs);
}

/**
 * Images of an earlier flight to be oriented along: of the newest one, else of the first. None where
 * positions tie the flights to centimetres anyway: orienting twice as many images takes twice as long.
 */
async function companionsOf(
  { folder, engines }: FlightTools,
  { datum, epochs }: EarlierFlights,
  fetched: FetchedFlight,
  metadata: FlightMetadata,
  signal: AbortSignal,
): Promise<readonly ImageFile[]> {
  if (datum === undefined || fetched.images === undefined) return [];
  if (isPlaced(datum.georeferencing)) {
    if (await placesItself(engines, fetched, metadata, signal)) return [];
  }
  for (const { head } of epochs.toReversed()) {
    const found = await findCompanions(folder, head, fetched.images.files);
    if (found.length > 0) return found;
  }
  return [];
}

/** Outlines of the project's stockpiles: they change as well. */
async function stockpileRings({ stockpiles }: FlightTools, { capture }: AnalyserInput) {
  const { stockpiles: found } = await stockpiles.list({
    projectIds: [capture.project_id],
    offset: 0,
  });
  return found.flatMap(({ footprint }) => (footprint === undefined ? [] : [footprint]));
}
