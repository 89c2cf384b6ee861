import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import { DAY_MS } from "../../../domain/time.ts";
import type { Files } from "../../../storage/open.ts";
import { createFileLinks, type FileLinks } from "../../representations/file-links.ts";

/**
 * How long addresses lead to a measurement's files, days: a link in a mail still opens next week; storage of
 * the S3 kind signs for no longer.
 */
const EXPIRES_DAYS = 7;

/** Pages about a measurement that are made when they are read. */
export const MEASUREMENT_PAGES = [
  "report.html",
  "profile.svg",
  "survey-report.html",
  "survey-report.pdf",
] as const;
export type MeasurementPage = (typeof MEASUREMENT_PAGES)[number];

/** Addresses that open without a header, good for seven days from now. */
export interface MeasurementLinks extends FileLinks {
  page(measurement: MeasurementName, page: MeasurementPage): string;
}

type MeasurementName = Pick<StockpileMeasurement, "id" | "stockpile_id">;

/** The key under which a page is signed: no file of the store has it. */
export function pageKey({ stockpile_id, id }: MeasurementName, page: MeasurementPage): string {
  return `stockpiles/${stockpile_id}/measurements/${id}/${page}`;
}

export function createMeasurementLinks(
  files: Pick<Files, "store" | "sign">,
  now: () => number,
): MeasurementLinks {
  const links = createFileLinks(files, () => now() + EXPIRES_DAYS * DAY_MS, now);
  return {
    ...links,
    page: (measurement, page) => links.own(pageKey(measurement, page)),
  };
}
