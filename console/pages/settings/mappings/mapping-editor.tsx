import { useSignal } from "@preact/signals";
import type { Outcome } from "../../../api/outcome.ts";
import { t } from "../../../i18n/t.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { Loaded } from "../form/loaded.tsx";
import { ResourceForm } from "../form/resource-form.tsx";
import type { Tagged } from "../form/tagged.ts";
import { EMPTY, formOf, type MappingForm, mappingOf } from "./form.ts";
import { MappingFields } from "./mapping-fields.tsx";
import { putMapping, readMapping, type TypeMapping } from "./requests.ts";

interface MappingEditorProps {
  /** The type whose mapping is changed; absent: a new one is made. */
  readonly type: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** How messages of a type of machine become readings, with a message to try it. */
export function MappingEditor({ type, onDone, onClose }: MappingEditorProps) {
  return (
    <section class="stack" aria-labelledby="mapping-editor">
      <h2 id="mapping-editor">
        {type === undefined ? t("mapping.new") : t("device.mapping", { type })}
      </h2>
      {type === undefined ? (
        <Editor stored={undefined} onDone={onDone} onClose={onClose} />
      ) : (
        <ReadEditor type={type} onDone={onDone} onClose={onClose} />
      )}
    </section>
  );
}

interface EditorProps {
  readonly stored: Tagged<TypeMapping> | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function ReadEditor({ type, ...more }: Omit<EditorProps, "stored"> & { readonly type: string }) {
  const answer = useAnswer(() => readMapping(type), type);
  return <Loaded answer={answer}>{(stored) => <Editor {...more} stored={stored} />}</Loaded>;
}

function Editor({ stored, onDone, onClose }: EditorProps) {
  const payload = useSignal("");
  const type = stored?.value.asset_type;
  return (
    <ResourceForm<TypeMapping, MappingForm, TypeMapping>
      stored={stored}
      readAgain={type === undefined ? undefined : () => readMapping(type)}
      empty={EMPTY}
      formOf={formOf}
      storedAt={({ updated_at }) => updated_at}
      rows={[
        [t("mapping.fields"), ({ fields }) => fields.map(rowText).join("; ")],
        [t("mapping.readings"), ({ readings }) => readings || t("mapping.not_given")],
        [
          t("mapping.time"),
          ({ time, timeUnit }) => `${time} ${timeUnit}`.trim() || t("mapping.not_given"),
        ],
        [t("mapping.seq"), ({ seq }) => seq || t("mapping.not_given")],
        [
          t("mapping.faults"),
          ({ faults }) =>
            Object.values(faults).filter(Boolean).join(", ") || t("mapping.not_given"),
        ],
      ]}
      createLabel={t("mapping.create")}
      send={save}
      onDone={onDone}
      onClose={onClose}
    >
      {(state) => <MappingFields state={state} isNew={stored === undefined} payload={payload} />}
    </ResourceForm>
  );
}

const rowText = ({
  name,
  pointer,
  unit,
  scale,
  offset,
  values,
  ignore,
}: MappingForm["fields"][number]) =>
  [`${name} ← ${pointer}`, unit, scale, offset, values, ignore]
    .filter((text) => text !== "")
    .join(" ");

async function save(
  form: MappingForm,
  seen: Tagged<TypeMapping> | undefined,
): Promise<Outcome<TypeMapping>> {
  const { mapping, problems } = mappingOf(form, t("mapping.not_json"), t("mapping.twice"));
  if (problems.length > 0) {
    return { failure: { status: 400, message: t("mapping.not_json"), details: problems } };
  }
  const type = form.type.trim();
  if (seen === undefined) {
    // A PUT without a tag would write over the one that there is.
    const there = await readMapping(type);
    if ("value" in there) return { failure: existing(type) };
    if (there.failure.status !== 404) return there;
  }
  return await putMapping(type, mapping, seen?.etag);
}

function existing(type: string) {
  const message = t("mapping.exists", { type });
  return { status: 409, message, details: [{ parameter: "asset_type", message }] };
}
