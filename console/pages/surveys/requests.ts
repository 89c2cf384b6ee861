import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { type Outcome, outcomeOf } from "../../api/outcome.ts";

/** A survey of the list. */
export type ListedSurvey = components["schemas"]["ListedSurvey"];
/** A survey with the signed addresses of its tiles. */
export type Survey = components["schemas"]["Survey"];

/** Which surveys; absent: all. Times are ISO 8601. */
export interface SurveyQuery {
  readonly project_id?: string;
  readonly stockpile_id?: string;
  readonly from?: string;
  readonly to?: string;
  /** West, south, east, north; degrees. */
  readonly bbox?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface SurveyPage {
  readonly surveys: readonly ListedSurvey[];
  /** Where the next ones begin; absent: these were the last. */
  readonly next: string | undefined;
}

export const readSurvey = (id: string): Promise<Outcome<Survey>> =>
  outcomeOf<Survey>(
    api.GET("/api/v1/surveys/{survey_id}", { params: { path: { survey_id: id } } }),
  );

/** Newest first. */
export const readSurveys = (query: SurveyQuery): Promise<Outcome<SurveyPage>> =>
  outcomeOf(api.GET("/api/v1/surveys", { params: { query } }), ({ data, pagination }) => ({
    surveys: data,
    next: pagination.has_more ? pagination.next_cursor : undefined,
  }));

/** Others to choose from at most: a flight a week for two years. */
const OTHERS = 100;

/** Surveys of the same ground in the same project, without itself, newest first. */
export async function readOthers({
  id,
  project_id,
  bounds,
}: Survey): Promise<Outcome<readonly ListedSurvey[]>> {
  if (bounds === null) return { value: [] };
  const { west, south, east, north } = bounds;
  const bbox = [west, south, east, north].join(",");
  const outcome = await readSurveys({ project_id, bbox, limit: OTHERS });
  if ("failure" in outcome) return outcome;
  return { value: outcome.value.surveys.filter((one) => one.id !== id) };
}
