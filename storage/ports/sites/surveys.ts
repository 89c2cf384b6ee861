import type { ProjectId, StockpileId, SurveyId } from "../../../domain/ids.ts";
import type { SiteSurvey, SurveyKind } from "../../../domain/sites/site-survey.ts";

/** A place in the list of surveys. */
export interface SurveyPlace {
  readonly capturedMs: number;
  readonly id: SurveyId;
}

/**
 * Surveys as one list over measurements of stockpiles and captures with products. Nothing is stored for it: what was
 * measured before there was such a list is in it, and what is deleted there is gone here.
 */
export interface SurveyRecords {
  find(id: SurveyId): Promise<SiteSurvey | undefined>;
  /** Newest first, those of one time by falling id (in bytes). Times are `[fromMs, toMs)`. */
  list(filter: {
    readonly kinds: readonly SurveyKind[];
    /** Absent: of all projects. */
    readonly projectIds?: readonly ProjectId[];
    /** Only measurements of it. */
    readonly stockpileId?: StockpileId | undefined;
    readonly fromMs?: number;
    readonly toMs?: number;
    /** Only what comes after it in the list. */
    readonly after?: SurveyPlace | undefined;
    readonly limit: number;
  }): Promise<readonly SiteSurvey[]>;
}
