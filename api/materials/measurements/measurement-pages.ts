import { text } from "node:stream/consumers";
import type { FastifyReply } from "fastify";
import type { PileProfile } from "../../../processing/measurement/profile/pile-profile.ts";
import { profileSvg } from "../../../processing/measurement/profile/profile-svg.ts";
import {
  type MeasurementReport,
  measurementReportHtml,
} from "../../../processing/measurement/report/measurement-report.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { ProjectRecords } from "../../../storage/ports/platform/projects.ts";
import type { StockpileRecords } from "../../../storage/ports/sites/stockpiles.ts";
import type { MeasurementOf } from "../../access/record-access.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { ReportPrinter } from "../../representations/report-printer.ts";
import { htmlAllowing, type Page, sendPage } from "../../representations/send-page.ts";
import { logoAddress } from "../../stored-images/project-logos.ts";
import type { MeasurementLinks, MeasurementPage } from "./measurement-links.ts";
import { measurementView } from "./measurement-view.ts";

/**
 * Measurements that a report's history shows at most: two years of weekly flights. More makes the page long
 * and slow to read.
 */
const HISTORY = 100;

/** Pages about measurements, made when they are read. */
export interface MeasurementPages {
  /** Answers with the page. @throws Refusal with 404 when the files that it shows are gone. */
  send(reply: FastifyReply, of: MeasurementOf, page: MeasurementPage): Promise<FastifyReply>;
  /** Sections through the pile; `undefined`: their file is gone. */
  profile(measurement: MeasurementOf["measurement"]): Promise<PileProfile | undefined>;
}

interface MeasurementPageRecords {
  readonly projects: Pick<ProjectRecords, "find">;
  readonly stockpiles: Pick<StockpileRecords, "measurements">;
}

export function createMeasurementPages(
  { projects, stockpiles }: MeasurementPageRecords,
  store: Pick<FileStore, "get">,
  links: MeasurementLinks,
  printer: ReportPrinter,
): MeasurementPages {
  async function profile({ files }: MeasurementOf["measurement"]) {
    const opened = await store.get(files.profile);
    // Written by us, with the measurement.
    return opened && (JSON.parse(await text(opened.body)) as PileProfile);
  }

  const pages: Record<
    Exclude<MeasurementPage, "survey-report.pdf">,
    (of: MeasurementOf) => Promise<Page | undefined>
  > = {
    "report.html": async ({ stockpile, measurement }) => {
      const view = await measurementView(measurement, links);
      const pictures = {
        hillshade: view.hillshade_url,
        heights: view.heights_url,
        change: view.change_url,
      };
      const { measurements } = await stockpiles.measurements(stockpile.id, {
        limit: HISTORY,
        offset: 0,
      });
      const isShown = measurements.some(({ id }) => id === measurement.id);
      const body = measurementReportHtml({
        measurement,
        stockpile,
        projectName: (await projects.find(stockpile.project_id))?.name,
        logoUrl: await logoAddress(store, stockpile.project_id),
        profile: await profile(measurement),
        pictures,
        history: isShown ? measurements : [...measurements, measurement],
        links: fileLinks(view),
      });
      const shown = Object.values(pictures).filter((url) => url !== undefined);
      return { type: "text/html; charset=utf-8", body, allowed: htmlAllowing(shown) };
    },

    "profile.svg": async ({ measurement }) => {
      const found = await profile(measurement);
      return (
        found && {
          type: "image/svg+xml",
          body: profileSvg(found),
          allowed: "style-src 'unsafe-inline'",
        }
      );
    },

    "survey-report.html": async ({ measurement }) => {
      const opened = await store.get(measurement.files.surveyReportHtml);
      return (
        opened && {
          type: "text/html; charset=utf-8",
          body: opened.body,
          allowed: htmlAllowing([]),
        }
      );
    },
  };

  return {
    profile,
    async send(reply, of, page) {
      if (page === "survey-report.pdf") {
        const opened = await store.get(of.measurement.files.surveyReportHtml);
        if (opened === undefined) throw new Refusal(404, "not_found", "Not found");
        return await printer.send(reply, opened, of.stockpile.project_id);
      }
      const made = await pages[page](of);
      if (made === undefined) throw new Refusal(404, "not_found", "Not found");
      return sendPage(reply, made);
    },
  };
}

function fileLinks(
  view: Awaited<ReturnType<typeof measurementView>>,
): NonNullable<MeasurementReport["links"]> {
  const named: readonly (readonly [text: string, url: string | undefined])[] = [
    ["Quality report of the survey", view.survey_report_url],
    ["Surface (GeoTIFF)", view.surface_url],
    ["Orthophoto (GeoTIFF)", view.orthomosaic_url],
    ["Textured model (GLB)", view.model_3d_url],
    ["Sections (SVG)", view.profile_url],
  ];
  return named.flatMap(([text, url]) => (url === undefined ? [] : [{ text, url }]));
}
