import type { FastifyReply } from "fastify";
import {
  type PageTools,
  progressReportPage,
} from "../../../processing/progress/report/page/progress-report-page.ts";
import type { FileStore } from "../../../storage/ports/files.ts";
import type { FoundReport } from "../../../storage/ports/sites/progress-reports.ts";
import type { ProgressLinks } from "../../representations/progress-links.ts";
import { htmlAllowing, type Page, sendPage } from "../../representations/send-page.ts";
import { logoAddress } from "../../stored-images/project-logos.ts";

/** Progress reports as pages, made when they are read. */
export interface ReportPages {
  send(reply: FastifyReply, found: FoundReport): Promise<FastifyReply>;
}

/**
 * A page is made anew after so long, ms: with a schedule of 50,000 activities it takes 0.2 to 0.3 s of this
 * thread, and a report that was just sent to many people is opened by many at once. Longer hides what has
 * changed since.
 */
const KEPT_MS = 60_000;
/**
 * Pages that are kept, of 20 kB and more each: more is memory, fewer are made anew when several reports are
 * read at once.
 */
const MOST_KEPT = 32;

export function createReportPages(
  tools: PageTools,
  store: Pick<FileStore, "get">,
  links: ProgressLinks,
  now: () => number,
): ReportPages {
  /** By report and successor, oldest first. */
  const kept = new Map<string, { readonly madeAtMs: number; readonly page: Promise<Page> }>();

  async function make({ report, supersededBy }: FoundReport): Promise<Page> {
    const shown = new Set<string>();
    const { orthomosaic_key, model_3d_key, kind } = report.images;
    const isSurvey = kind === "survey";
    const orthomosaic = { text: "Orthomosaic (GeoTIFF)", url: await links.file(orthomosaic_key) };
    const model = {
      text: isSurvey ? "Textured model (GLB)" : "Model of the zones (GLB)",
      url: await links.file(model_3d_key),
    };
    const body = await progressReportPage(tools, report, {
      logoUrl: await logoAddress(store, report.project_id),
      address: async (key) => {
        const url = await links.file(key);
        shown.add(url);
        return url;
      },
      supersededBy:
        supersededBy === undefined
          ? undefined
          : { id: supersededBy, url: links.reportPage(supersededBy) },
      links: isSurvey ? [orthomosaic, model] : [model],
    });
    return { type: "text/html; charset=utf-8", body, allowed: htmlAllowing(shown) };
  }

  async function pageOf(found: FoundReport): Promise<Page> {
    const key = `${found.report.id} ${found.supersededBy ?? ""}`;
    const known = kept.get(key);
    if (known !== undefined && now() - known.madeAtMs < KEPT_MS) return await known.page;
    const page = make(found);
    kept.delete(key);
    kept.set(key, { madeAtMs: now(), page });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    try {
      return await page;
    } catch (error) {
      if (kept.get(key)?.page === page) kept.delete(key);
      throw error;
    }
  }

  return { send: async (reply, found) => sendPage(reply, await pageOf(found)) };
}
