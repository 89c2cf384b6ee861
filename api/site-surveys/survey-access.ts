import type { FastifyRequest } from "fastify";
import { DomainError } from "../../domain/errors.ts";
import { isId, type SurveyId } from "../../domain/ids.ts";
import type { Scope } from "../../domain/platform/api-key.ts";
import type { SiteSurvey, SurveyKind } from "../../domain/sites/site-survey.ts";
import type { SurveyRecords } from "../../storage/ports/sites/surveys.ts";
import { principal } from "../auth/guard.ts";
import { hasScope, type Principal, seesProject } from "../auth/principal.ts";

/** What a key needs to see the surveys of each kind. */
const SCOPE_OF_KIND = {
  stockpile_measurement: "materials:read",
  progress_capture: "progress:read",
} as const satisfies Record<SurveyKind, Scope>;

const SURVEY_KINDS = Object.keys(SCOPE_OF_KIND) as SurveyKind[];
/** One of them is enough for the routes of surveys. */
export const SURVEY_SCOPES = Object.values(SCOPE_OF_KIND);

/** The kinds of surveys that the key may see. */
export function visibleKinds(request: FastifyRequest): SurveyKind[] {
  const key = principal(request);
  return SURVEY_KINDS.filter((kind) => hasScope(key, SCOPE_OF_KIND[kind]));
}

/**
 * A survey that the key may see.
 * @throws DomainError `SURVEY_NOT_FOUND`, the same for an absent one, for another tenant's, and for one whose area the
 *   key may not read
 */
export async function visibleSurvey(
  surveys: Pick<SurveyRecords, "find">,
  request: FastifyRequest,
  id: SurveyId,
): Promise<SiteSurvey> {
  const found = isId(id) ? await surveys.find(id) : undefined;
  if (found === undefined || !seesSurvey(principal(request), found)) throw noSurvey(id);
  return found;
}

export const seesSurvey = (key: Principal, { kind, projectId }: SiteSurvey): boolean =>
  hasScope(key, SCOPE_OF_KIND[kind]) && seesProject(key, projectId);

export const noSurvey = (id: string): DomainError =>
  new DomainError("SURVEY_NOT_FOUND", `no survey ${id}`);
