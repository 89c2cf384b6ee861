import type { Failure } from "../../../api/failure.ts";
import { t } from "../../../i18n/t.ts";
import { TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { RowList } from "../form/row-list.tsx";
import { type FieldForm, NEW_FIELD } from "./form.ts";

interface FieldRowsProps {
  readonly fields: readonly FieldForm[];
  readonly failure: Failure | undefined;
  readonly onFields: (fields: readonly FieldForm[]) => void;
}

/** Numbers that are stored: where each is in the message, and what it means. */
export function FieldRows({ fields, failure, onFields }: FieldRowsProps) {
  return (
    <RowList<FieldForm>
      title={t("mapping.fields")}
      addLabel={t("mapping.add_field")}
      nameOf={(n) => t("mapping.field_n", { n })}
      empty={NEW_FIELD}
      rows={fields}
      onRows={onFields}
    >
      {(row, i, change) => (
        <FieldRow
          row={row}
          failure={failure}
          rowProblem={problemOf(failure, `rows.${i}`)}
          onChange={change}
        />
      )}
    </RowList>
  );
}

interface FieldRowProps {
  readonly row: FieldForm;
  readonly failure: Failure | undefined;
  readonly rowProblem: string | undefined;
  readonly onChange: (part: Partial<FieldForm>) => void;
}

/** Parts of a field that have a control of their own, so that only the others are said at its name. */
const PARTS = ["pointer", "unit", "scale", "offset", "values", "ignore"] as const;

function FieldRow({ row, failure, rowProblem, onChange }: FieldRowProps) {
  const name = `fields.${row.name.trim()}`;
  const problem = (part: (typeof PARTS)[number]) => problemOf(failure, `${name}.${part}`);
  const ofParts = PARTS.some((part) => problem(part) !== undefined);
  const isSpecial = [row.scale, row.offset, row.values, row.ignore].some((text) => text !== "");
  const plain = { spellcheck: false, autocapitalize: "off", autocomplete: "off" } as const;
  return (
    <>
      <div class="field-row">
        <TextField
          {...plain}
          name={t("device.mapping_field")}
          hint={t("mapping.name_hint")}
          error={rowProblem ?? (ofParts ? undefined : problemOf(failure, name))}
          required
          value={row.name}
          onText={(text) => onChange({ name: text })}
        />
        <TextField
          {...plain}
          name={t("device.mapping_pointer")}
          hint={t("mapping.pointer_hint")}
          error={problem("pointer")}
          required
          value={row.pointer}
          onText={(pointer) => onChange({ pointer })}
        />
        <TextField
          {...plain}
          name={t("mapping.unit")}
          hint={t("mapping.unit_hint")}
          error={problem("unit")}
          value={row.unit}
          onText={(unit) => onChange({ unit })}
        />
      </div>
      <details open={isSpecial}>
        <summary>{t("mapping.more")}</summary>
        <div class="field-row">
          <TextField
            {...plain}
            name={t("mapping.scale")}
            error={problem("scale")}
            inputMode="decimal"
            value={row.scale}
            onText={(scale) => onChange({ scale })}
          />
          <TextField
            {...plain}
            name={t("mapping.offset")}
            error={problem("offset")}
            inputMode="decimal"
            value={row.offset}
            onText={(offset) => onChange({ offset })}
          />
          <TextField
            {...plain}
            name={t("mapping.values")}
            hint={t("mapping.values_hint")}
            error={problem("values")}
            value={row.values}
            onText={(values) => onChange({ values })}
          />
          <TextField
            {...plain}
            name={t("mapping.ignore")}
            hint={t("mapping.ignore_hint")}
            error={problem("ignore")}
            value={row.ignore}
            onText={(ignore) => onChange({ ignore })}
          />
        </div>
      </details>
    </>
  );
}
