import { isoTime } from "../../../domain/iso-time.ts";
import type { CaptureImage, CaptureProducts, ZoneEstimate } from "../../../domain/sites/capture.ts";
import type { JobForecast } from "../../job-views/job-forecast.ts";
import { percentOf } from "../../representations/percent.ts";
import type { ProgressLinks } from "../../representations/progress-links.ts";
import { verticalDatumView } from "../../schemas/vertical-datum.ts";
import { surveyExportUrls } from "../../surveys/survey-exports.ts";
import { captureFailure } from "./capture-failure.ts";
import type { Capture, ListedCapture } from "./capture-schemas.ts";
import type { CaptureStatus } from "./capture-status.ts";

/** Makes views of captures. */
export class CaptureViews {
  readonly #forecast: JobForecast;
  readonly #links: ProgressLinks;
  readonly #now: () => number;

  constructor(forecast: JobForecast, links: ProgressLinks, now: () => number) {
    this.#forecast = forecast;
    this.#links = links;
    this.#now = now;
  }

  /** As in lists; those that are processing end at the forecast time, or later. */
  async listed(statuses: readonly CaptureStatus[]): Promise<ListedCapture[]> {
    const isAnyOpen = statuses.some(({ state }) => state === "processing");
    const workOf = isAnyOpen ? await this.#forecast.ofWork() : () => 1;
    return statuses.map((status) => {
      const { job, state } = status;
      const leastS = job === undefined ? 1 : workOf(job);
      const leftS = state === "processing" ? this.#forecastS(status, leastS) : undefined;
      return this.#summary(status, leftS);
    });
  }

  /** Whole; `leftS`: seconds until it is done, `undefined` once it is over. */
  async whole(
    status: CaptureStatus,
  ): Promise<{ readonly view: Capture; readonly leftS: number | undefined }> {
    const { capture } = status;
    const leftS = await this.#secondsLeft(status);
    const view = this.#summary(status, leftS);
    const { products, flight_metadata } = capture;
    return {
      leftS,
      view: {
        ...view,
        flight_metadata: flight_metadata === undefined ? null : unsigned(flight_metadata),
        images: capture.images.map((image) => this.#imageView(image, capture)),
        zones: capture.estimates.map(estimateView),
        products: products === undefined ? null : await this.#productsView(products, capture.id),
      },
    };
  }

  /** Seconds to the forecast made at its arrival, at least `leastS`. */
  #forecastS({ capture }: CaptureStatus, leastS: number): number {
    return Math.max(leastS, (Date.parse(capture.estimated_completion) - this.#now()) / 1_000);
  }

  #summary(status: CaptureStatus, leftS: number | undefined): ListedCapture {
    const { capture, job, state, error, endedAt } = status;
    const isOpen = state === "processing";
    const completion =
      leftS === undefined ? endedAt : isoTime(this.#now() + Math.ceil(leftS * 1_000));
    return {
      id: capture.id,
      status: state,
      estimated_completion: completion ?? capture.estimated_completion,
      images_count: capture.images_count,
      project_id: capture.project_id,
      capture_type: capture.capture_type,
      purpose: capture.purpose ?? "progress",
      progress: state === "completed" ? 100 : Math.floor(job?.progress ?? 0),
      stage: isOpen ? (job?.state === "running" ? job.stage : "queued") : state,
      report_id: capture.report_id ?? null,
      no_report: capture.no_report ?? null,
      error: error === undefined ? null : captureFailure(error, job),
      warnings: [...capture.warnings],
      created_at: capture.created_at,
      completed_at: endedAt ?? null,
      capture_date: capture.capture_date ?? null,
    };
  }

  async #secondsLeft(status: CaptureStatus): Promise<number | undefined> {
    if (status.state !== "processing") return undefined;
    const { job } = status;
    return job === undefined ? this.#forecastS(status, 1) : await this.#forecast.ofOpen(job);
  }

  #imageView(
    { url, status, stored_key, ...image }: CaptureImage,
    { created_at }: CaptureStatus["capture"],
  ): Capture["images"][number] {
    return {
      url,
      signed_url: this.#links.uploadedImage(stored_key, created_at),
      status,
      reason: image.reason ?? null,
      camera_id: image.camera_id ?? null,
      change_index: image.change_index ?? null,
      taken_at: image.taken_at ?? null,
    };
  }

  async #productsView(products: CaptureProducts, id: Capture["id"]) {
    const { dsm, orthomosaic, orthomosaic_preview, model_3d } = products;
    const links = this.#links;
    const optional = async (key: string | undefined) =>
      key === undefined ? null : await links.file(key);
    return {
      dsm_url: links.own(dsm),
      orthomosaic_url: await optional(orthomosaic),
      orthomosaic_preview_url: await optional(orthomosaic_preview),
      model_3d_url: await links.file(model_3d),
      survey_report_url: links.surveyReport(id),
      survey_report_pdf_url: links.surveyReportPdf(id),
      exports: await surveyExportUrls(products.exports, links),
      vertical_datum: verticalDatumView(products.vertical_datum),
    };
  }
}

const estimateView = (estimate: ZoneEstimate): Capture["zones"][number] => ({
  zone_id: estimate.zone_id,
  method: estimate.method,
  raw_progress: estimate.raw_progress ?? null,
  interval_95: estimate.interval_95 === undefined ? null : [...estimate.interval_95],
  observed_percent: percentOf(estimate.observed_fraction),
  is_at_design: estimate.is_at_design,
  no_estimate: estimate.no_estimate ?? null,
  notes: [...estimate.notes],
  figures: { ...estimate.figures },
});

/** Metadata with addresses without their signature, like those of images: readers need not fetch. */
function unsigned(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...metadata };
  for (const name of ["dsm_url", "orthomosaic_url"]) {
    const url = shown[name];
    if (typeof url === "string") shown[name] = url.split(/[?#]/, 1)[0];
  }
  return shown;
}
