import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { Select } from "../../parts/select.tsx";
import { projectChoices, projectId, projects } from "../../state/project.ts";
import { type Imported, importFences } from "./requests.ts";

/** Largest file that the service takes, bytes. */
const MOST_BYTES = 8 * 1_048_576;
/** Flaws that are listed; a file with more is wrong throughout. */
const FLAWS = 20;

interface ImportFormProps {
  readonly onImported: () => void;
  readonly onClose: () => void;
}

/** Fences from a GeoJSON or KML file: all of its features, or none. */
export function ImportForm({ onImported, onClose }: ImportFormProps) {
  const file = useSignal<File | undefined>(undefined);
  const project = useSignal(projectId.peek() ?? projects.peek()[0]?.id ?? "");
  const failure = useSignal<Failure | undefined>(undefined);
  const imported = useSignal<Imported | undefined>(undefined);
  const isBusy = useSignal(false);
  const keyOf = useRepeatKey();
  const isLarge = (file.value?.size ?? 0) > MOST_BYTES;

  async function send() {
    const chosen = file.peek();
    if (chosen === undefined || isBusy.peek()) return;
    isBusy.value = true;
    const { name, size, lastModified } = chosen;
    const key = keyOf([name, size, lastModified, project.peek()]);
    const outcome = await importFences(project.peek(), chosen, key);
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    imported.value = "value" in outcome ? outcome.value : undefined;
    if ("value" in outcome) onImported();
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h2>{t("fences.import_title")}</h2>
      <Field
        name={t("fences.file")}
        hint={t("fences.file_hint")}
        error={isLarge ? t("fences.file_large", { most: MOST_BYTES / 1_048_576 }) : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".geojson,.json,.kml,.xml"
            onChange={(event) => {
              file.value = event.currentTarget.files?.[0];
              imported.value = undefined;
              failure.value = undefined;
            }}
          />
        )}
      </Field>
      <Field name={t("nav.project")}>
        {(control) => (
          <Select
            {...control}
            value={project.value}
            choices={projectChoices()}
            onChoose={(chosen) => {
              project.value = chosen;
            }}
          />
        )}
      </Field>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      <Flaws failure={failure.value} />
      {imported.value === undefined ? null : (
        <p class="notice" role="status">
          {tn("fences.imported", imported.value.data.length)}
        </p>
      )}
      <div class="tool-row">
        <button type="button" onClick={onClose}>
          {t(imported.value === undefined ? "fences.cancel" : "map.close")}
        </button>
        <button
          type="submit"
          class="main"
          disabled={file.value === undefined || isLarge || isBusy.value || project.value === ""}
        >
          {t("fences.import")}
        </button>
      </div>
    </form>
  );
}

function Flaws({ failure }: { readonly failure: Failure | undefined }) {
  const details = failure?.details ?? [];
  if (details.length === 0) return null;
  return (
    <ul class="flaws small" aria-label={t("fences.flaws")}>
      {details.slice(0, FLAWS).map(({ parameter, message }) => (
        <li key={`${parameter} ${message}`}>
          <code>{parameter}</code> {message}
        </li>
      ))}
      {details.length > FLAWS ? (
        <li>{t("fences.more_flaws", { n: show.number(details.length - FLAWS) })}</li>
      ) : null}
    </ul>
  );
}
