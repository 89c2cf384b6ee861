import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { outcomeOf } from "../../../api/outcome.ts";
import { t } from "../../../i18n/t.ts";
import { FailureNotice, Loading } from "../../../parts/notices.tsx";
import { useAnswer } from "../../../state/use-answer.ts";

type FieldMapping = components["schemas"]["FieldMapping"];

/** What a JSON message of a type of machine means. */
export function MappingPane({ type }: { readonly type: string }) {
  const mapping = useAnswer(
    () =>
      outcomeOf(
        api.GET("/api/v1/equipment/mappings/{asset_type}", {
          params: { path: { asset_type: type } },
        }),
      ),
    type,
  );
  const failure = mapping.failure.value;
  const fields = mapping.data.value?.mapping.fields;
  const isMissing = failure?.status === 404;
  return (
    <section class="card" aria-labelledby="mapping">
      <h2 id="mapping">{t("device.mapping", { type })}</h2>
      <p class="muted small">{t("device.mapping_hint", { type: encodeURIComponent(type) })}</p>
      {isMissing ? <p>{t("device.mapping_none", { type })}</p> : null}
      {failure === undefined || isMissing ? null : <FailureNotice failure={failure} />}
      {fields === undefined && failure === undefined ? <Loading /> : null}
      {fields === undefined ? null : (
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t("device.mapping_field")}</th>
              <th scope="col">{t("device.mapping_pointer")}</th>
              <th scope="col">{t("device.mapping_unit")}</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(fields).map(([field, rule]) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td data-label={t("device.mapping_pointer")}>
                  <code>{rule.pointer}</code>
                </td>
                <td data-label={t("device.mapping_unit")}>{scaleText(rule)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function scaleText({ unit, scale, offset, values }: FieldMapping): string {
  return [
    unit,
    scale === undefined ? undefined : t("device.mapping_scale", { scale }),
    offset === undefined ? undefined : t("device.mapping_offset", { offset }),
    values === undefined
      ? undefined
      : Object.entries(values)
          .map(([text, number]) => `${text} = ${number}`)
          .join(", "),
  ]
    .filter((text) => text !== undefined)
    .join(", ");
}
