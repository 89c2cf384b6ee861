/** What `survey-process.ts` prints of itself, as JSON. */
export interface SurveyLine {
  /** As the engine names it; "end" = the products are there. */
  readonly stage: string;
  readonly percent: number;
  /** Of all threads since the process started, s. */
  readonly cpuS: number;
  /** Largest resident set so far, bytes. */
  readonly peakBytes: number;
  /** At the end alone: oriented cameras, their reprojection error, and the gates that warned. */
  readonly cameras?: number;
  readonly rmsPx?: number;
  readonly warned?: readonly string[];
}
