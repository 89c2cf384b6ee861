import { api } from "../../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../../api/outcome.ts";
import { t } from "../../../../i18n/t.ts";
import type { Stockpile } from "../../../../state/site-places.ts";
import type { Tagged } from "../../../settings/form/tagged.ts";
import { type ListedSurvey, readSurveys } from "../../../surveys/requests.ts";
import { changePile, readPile, type TaggedPile } from "../../requests.ts";
import { changeOf, isWrong, type PileForm, problemsOf } from "./facts-form.ts";

/** Surveys that a base is chosen from: a flight a week for a year. */
const SURFACES = 50;

export async function readFacts(id: string): Promise<Outcome<Tagged<Stockpile>>> {
  const outcome = await readPile(id);
  if ("failure" in outcome) return outcome;
  return { value: { value: outcome.value.pile, etag: outcome.value.etag } };
}

/** 412: somebody else changed the stockpile since it was read. */
export async function changeFacts(
  form: PileForm,
  seen: Tagged<Stockpile> | undefined,
): Promise<Outcome<Stockpile>> {
  // The form is filled from what was read.
  if (seen === undefined) return { failure: { status: 412, message: "" } };
  if (isWrong(problemsOf(form, seen.value))) {
    return { failure: { status: 400, message: t("pile.facts_wrong") } };
  }
  return await changePile({ pile: seen.value, etag: seen.etag }, changeOf(seen.value, form));
}

/** Its measurements and their files go with it. 412: somebody else changed it since it was read. */
export const removePile = ({ pile, etag }: TaggedPile): Promise<Outcome<unknown>> =>
  outcomeOf<unknown>(
    api.DELETE("/api/v1/materials/stockpiles/{stockpile_id}", {
      params: { path: { stockpile_id: pile.id }, header: { "If-Match": etag } },
    }),
  );

/** Surveys of this stockpile, newest first: the surface of one from before the heap can be its base. */
export const readSurfaces = (id: string): Promise<Outcome<readonly ListedSurvey[]>> =>
  readSurveys({ stockpile_id: id, limit: SURFACES }).then((outcome) =>
    "failure" in outcome ? outcome : { value: outcome.value.surveys },
  );
