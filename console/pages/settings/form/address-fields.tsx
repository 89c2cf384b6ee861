import type { Failure } from "../../../api/failure.ts";
import { t } from "../../../i18n/t.ts";
import { TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";

interface AddressFieldsProps {
  readonly form: { readonly url: string; readonly name: string };
  readonly urlHint: string;
  readonly failure: Failure | undefined;
  readonly change: (part: { readonly url: string } | { readonly name: string }) => void;
}

/** Where something of another system is, and what people call it. */
export function AddressFields({ form, urlHint, failure, change }: AddressFieldsProps) {
  return (
    <>
      <TextField
        name={t("hooks.url")}
        hint={urlHint}
        error={problemOf(failure, "url")}
        type="url"
        required
        maxLength={2_048}
        autocomplete="off"
        spellcheck={false}
        value={form.url}
        onText={(url) => change({ url })}
      />
      <TextField
        name={t("set.name")}
        hint={t("hooks.name_hint")}
        error={problemOf(failure, "name")}
        maxLength={200}
        value={form.name}
        onText={(name) => change({ name })}
      />
    </>
  );
}
