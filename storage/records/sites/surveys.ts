import type { ProjectId, SurveyId } from "../../../domain/ids.ts";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import type { SiteSurvey, SurveyKind } from "../../../domain/sites/site-survey.ts";
import type { SurveyRecords } from "../../ports/sites/surveys.ts";
import type { Database } from "../sql/database.ts";
import { storedCapture } from "./captures-rows.ts";

type StoredSurvey = { readonly project_id: string; readonly captured_ms: number } & (
  | {
      readonly kind: "stockpile_measurement";
      readonly body: StockpileMeasurement;
      readonly material: string;
      readonly location: string;
    }
  | { readonly kind: "progress_capture"; readonly body: Capture }
);

/**
 * Every survey with the columns that it is found by. Ids are compared in bytes, whatever the database's locale is,
 * so that a cursor means the same everywhere.
 */
const SURVEYS = `(
  SELECT 'stockpile_measurement' AS kind, m.id COLLATE "C" AS id, s.live_project_id AS project_id,
    m.measured_at_ms AS captured_ms, m.body, s.id AS stockpile_id, s.material, s.location
  FROM stockpile_measurements m JOIN stockpiles s ON s.id = m.stockpile_id
  WHERE NOT s.deleted
  UNION ALL
  SELECT 'progress_capture', id COLLATE "C", project_id, capture_date_ms, body, NULL, NULL, NULL
  FROM captures
  WHERE state = 'completed' AND has_products AND capture_date_ms IS NOT NULL
) AS surveys`;

/** Surveys in SQL. */
export class SqlSurveyRecords implements SurveyRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(id: SurveyId): Promise<SiteSurvey | undefined> {
    const [row] = await this.#database.query<StoredSurvey>(
      `SELECT kind, project_id, captured_ms, body, material, location FROM ${SURVEYS}
       WHERE id = $1 LIMIT 1`,
      [id],
    );
    return row && toSurvey(row);
  }

  async list({
    kinds,
    projectIds,
    stockpileId,
    fromMs,
    toMs,
    after,
    limit,
  }: Parameters<SurveyRecords["list"]>[0]): Promise<readonly SiteSurvey[]> {
    const rows = await this.#database.query<StoredSurvey>(
      `SELECT kind, project_id, captured_ms, body, material, location FROM ${SURVEYS}
       WHERE kind = ANY ($1::text[])
         AND ($2::text[] IS NULL OR project_id = ANY ($2))
         AND ($3::bigint IS NULL OR captured_ms >= $3)
         AND ($4::bigint IS NULL OR captured_ms < $4)
         AND ($5::bigint IS NULL OR (captured_ms, id) < ($5, $6::text COLLATE "C"))
         AND ($7::text IS NULL OR stockpile_id = $7)
       ORDER BY captured_ms DESC, id DESC LIMIT $8`,
      [
        kinds satisfies readonly SurveyKind[],
        projectIds ?? null,
        fromMs ?? null,
        toMs ?? null,
        after?.capturedMs ?? null,
        after?.id ?? null,
        stockpileId ?? null,
        limit,
      ],
    );
    return rows.map(toSurvey);
  }
}

function toSurvey(row: StoredSurvey): SiteSurvey {
  const of = { projectId: row.project_id as ProjectId, capturedMs: row.captured_ms };
  if (row.kind === "progress_capture") {
    return { ...of, kind: row.kind, capture: storedCapture(row.body) };
  }
  const { kind, body: measurement, material, location } = row;
  return { ...of, kind, measurement, stockpile: { material, location } };
}
