import { text } from "node:stream/consumers";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { SurveyFiles } from "../../domain/sites/site-survey.ts";
import type { GeodeticExtent } from "../../processing/engine/raster/surface-extent.ts";
import type { FileStore } from "../../storage/ports/files.ts";
import { type KeptValues, keepValues } from "../representations/kept-values.ts";
import { openRaster } from "./survey-files.ts";

const Figure = Type.Object({ value: Type.Union([Type.Number(), Type.Null()]) });

/** What is taken out of a survey's report; reports of earlier versions have more, or less, beside it. */
const ReadReport = Type.Object({
  surface: Type.Object({ ground_sample_distance: Figure, lowest: Figure, highest: Figure }),
  adjustment: Type.Object({
    reprojection_rms: Figure,
    scale_sigma: Figure,
    scale_from: Type.String(),
    control_rms: Figure,
    check_rms: Figure,
  }),
  findings: Type.Array(
    Type.Object({
      gate: Type.String(),
      severity: Type.Enum(["reject", "warn"]),
      measured: Type.Object({ ...Figure.properties, unit: Type.String() }),
      limit: Type.Object({ ...Figure.properties, unit: Type.String() }),
      advice: Type.String(),
    }),
  ),
});
type ReadReport = Static<typeof ReadReport>;
const reportCheck = Compile(ReadReport);

/** Where a survey's surface lies. */
export interface SurveyPlace {
  readonly extent: GeodeticExtent;
  /** `undefined`: the file spells its system out. */
  readonly epsg: number | undefined;
  /** "EPSG:32633 (WGS 84 / UTM zone 33N)". */
  readonly system: string;
  /** Edge of a cell of the surface, metres. */
  readonly cellM: number;
}

/** What the files of a survey say of it; `undefined`: the file is gone, or cannot be read. */
export interface SurveyFacts {
  readonly place: SurveyPlace | undefined;
  readonly report: ReadReport | undefined;
}

/** Surveys whose facts are kept: some 2 kB each. Fewer read files again for each list, more take more memory. */
const KEPT_FACTS = 2_000;
/**
 * Files that are read at once for one list. More would hold up other requests to the store, fewer lets the first
 * list of a project wait.
 */
const READS_AT_ONCE = 8;

/** Reads what files say of surveys. They never change, so each is read once. */
export class SurveyFactReader {
  readonly #store: Pick<FileStore, "stat" | "get">;
  readonly #kept: KeptValues<SurveyFacts> = keepValues({
    most: KEPT_FACTS,
    // A file that is not there now may be restored.
    weightOf: ({ place, report }) =>
      place === undefined || report === undefined ? Number.POSITIVE_INFINITY : 1,
  });

  constructor(store: Pick<FileStore, "stat" | "get">) {
    this.#store = store;
  }

  /** @throws DomainError `STORE_UNAVAILABLE` */
  async of(files: SurveyFiles | undefined): Promise<SurveyFacts> {
    if (files === undefined) return { place: undefined, report: undefined };
    return await this.#kept.get(files.surface, async () => {
      const [place, report] = await Promise.all([
        this.#place(files.surface),
        this.#report(files.report),
      ]);
      return { place, report };
    });
  }

  /** Of several, in their order. @throws DomainError `STORE_UNAVAILABLE` */
  async ofAll(all: readonly (SurveyFiles | undefined)[]): Promise<SurveyFacts[]> {
    const facts: SurveyFacts[] = [];
    for (let i = 0; i < all.length; i += READS_AT_ONCE) {
      const part = all.slice(i, i + READS_AT_ONCE).map((files) => this.of(files));
      facts.push(...(await Promise.all(part)));
    }
    return facts;
  }

  async #place(key: string): Promise<SurveyPlace | undefined> {
    const opened = await openRaster(this.#store, key);
    if (opened === undefined) return undefined;
    const { extent, system, pixelM: cellM } = opened.raster;
    return { extent, epsg: system.epsg, system: system.name, cellM };
  }

  async #report(key: string): Promise<ReadReport | undefined> {
    const opened = await this.#store.get(key);
    if (opened === undefined) return undefined;
    const report = parsed(await text(opened.body));
    return reportCheck.Check(report) ? reportFacts(report) : undefined;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Without the rest, which has a row for each image. */
function reportFacts({ surface, adjustment, findings }: ReadReport): ReadReport {
  const { ground_sample_distance, lowest, highest } = surface;
  const { reprojection_rms, scale_sigma, scale_from, control_rms, check_rms } = adjustment;
  return {
    surface: { ground_sample_distance, lowest, highest },
    adjustment: { reprojection_rms, scale_sigma, scale_from, control_rms, check_rms },
    findings: findings.map(({ gate, severity, measured, limit, advice }) => ({
      ...{ gate, severity, measured, limit, advice },
    })),
  };
}
