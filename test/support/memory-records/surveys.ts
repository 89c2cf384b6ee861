import type { StockpileId } from "../../../domain/ids.ts";
import { type SiteSurvey, surveyIdOf } from "../../../domain/sites/site-survey.ts";
import type { SurveyRecords } from "../../../storage/ports/sites/surveys.ts";
import { compareText, type MemoryRows, passes } from "./rows.ts";

/** Surveys over the measurements and captures in memory. */
export function createMemorySurveys(rows: MemoryRows): SurveyRecords {
  function all(): SiteSurvey[] {
    const measured = rows.measurements.flatMap((measurement): SiteSurvey[] => {
      const found = rows.stockpiles.get(measurement.stockpile_id);
      if (found === undefined) return [];
      const { project_id: projectId, material, location } = found;
      const capturedMs = Date.parse(measurement.measured_at);
      const stockpile = { material, location };
      return [{ kind: "stockpile_measurement", projectId, capturedMs, measurement, stockpile }];
    });
    const flown = [...rows.captures.values()].flatMap((capture): SiteSurvey[] => {
      const { state, products, capture_date, project_id: projectId } = capture;
      if (state !== "completed" || products === undefined || capture_date === undefined) return [];
      const capturedMs = Date.parse(capture_date);
      return [{ kind: "progress_capture", projectId, capturedMs, capture }];
    });
    return [...measured, ...flown];
  }

  const isOf = (id: StockpileId, survey: SiteSurvey): boolean =>
    survey.kind === "stockpile_measurement" && survey.measurement.stockpile_id === id;

  return {
    find: async (id) => all().find((survey) => surveyIdOf(survey) === id),
    async list({ kinds, projectIds, stockpileId, fromMs = 0, toMs = Infinity, after, limit }) {
      const isAfter = (survey: SiteSurvey): boolean =>
        after === undefined ||
        survey.capturedMs < after.capturedMs ||
        (survey.capturedMs === after.capturedMs && surveyIdOf(survey) < after.id);
      return all()
        .filter(({ kind, projectId }) => kinds.includes(kind) && passes(projectIds, projectId))
        .filter(({ capturedMs }) => capturedMs >= fromMs && capturedMs < toMs)
        .filter((survey) => stockpileId === undefined || isOf(stockpileId, survey))
        .filter(isAfter)
        .sort((a, b) => b.capturedMs - a.capturedMs || compareText(surveyIdOf(b), surveyIdOf(a)))
        .slice(0, limit);
    },
  };
}
