import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import { t } from "../../../i18n/t.ts";
import { type Tagged, tagged } from "../../settings/form/tagged.ts";
import type { AssetDetail } from "../tab.ts";
import { changeOf, type FactsForm, placeProblem } from "./facts-form.ts";

const pathOf = (id: string) => ({ path: { asset_id: id } });

export const readFacts = (id: string): Promise<Outcome<Tagged<AssetDetail>>> =>
  outcomeOf(api.GET("/api/v1/equipment/assets/{asset_id}", { params: pathOf(id) }), tagged);

/** 412: somebody else changed the machine since it was read. */
export async function changeFacts(
  form: FactsForm,
  seen: Tagged<AssetDetail> | undefined,
): Promise<Outcome<AssetDetail>> {
  const problem = placeProblem(form);
  if (problem !== undefined) {
    const message = t(`register.${problem}`);
    return { failure: { status: 400, message, details: [{ parameter: "location", message }] } };
  }
  // The form is filled from what was read.
  if (seen === undefined) return { failure: { status: 412, message: "" } };
  return await outcomeOf(
    api.PATCH("/api/v1/equipment/assets/{asset_id}", {
      params: { ...pathOf(seen.value.id), header: { "If-Match": seen.etag } },
      body: changeOf(seen.value, form),
    }),
  );
}

/** Ends the log-in of its device too; what it reported stays. */
export const removeMachine = (id: string): Promise<Outcome<unknown>> =>
  outcomeOf(api.DELETE("/api/v1/equipment/assets/{asset_id}", { params: pathOf(id) }));
