import type { Outcome } from "../../../api/outcome.ts";
import { t } from "../../../i18n/t.ts";
import { TextField } from "../../../parts/field.tsx";
import { problemOf } from "../../../parts/problem.ts";
import { ResourceDialog } from "../form/resource-form.tsx";
import type { Tagged } from "../form/tagged.ts";
import { type ProjectStorage, readQuota, setQuota } from "./requests.ts";
import { typedQuota } from "./storage-level.ts";

const MIB = 1_024 ** 2;

interface QuotaForm {
  /** As the field has it, MiB; empty: that of the installation. */
  readonly limit: string;
}

interface QuotaDialogProps {
  readonly id: string;
  readonly name: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** How much a project may store. */
export function QuotaDialog({ id, name, onDone, onClose }: QuotaDialogProps) {
  return (
    <ResourceDialog<ProjectStorage, QuotaForm, ProjectStorage>
      title={t("proj.quota_of", { name })}
      read={() => readQuota(id)}
      empty={{ limit: "" }}
      formOf={({ limit_bytes }) => ({
        limit: limit_bytes === null ? "" : String(Math.floor(limit_bytes / MIB)),
      })}
      rows={[[t("proj.quota"), ({ limit }) => limit.trim() || t("proj.quota_default")]]}
      createLabel={t("set.save")}
      send={send}
      onDone={onDone}
      onClose={onClose}
    >
      {({ form, change, failure }) => (
        <TextField
          name={t("proj.quota")}
          hint={t("proj.quota_hint")}
          error={
            typedQuota(form.limit) === undefined
              ? t("proj.quota_wrong")
              : problemOf(failure, "limit_mib")
          }
          inputMode="numeric"
          pattern="\s*\d*\s*"
          autocomplete="off"
          value={form.limit}
          onText={(limit) => change({ limit })}
        />
      )}
    </ResourceDialog>
  );
}

async function send(
  { limit }: QuotaForm,
  seen: Tagged<ProjectStorage> | undefined,
): Promise<Outcome<ProjectStorage>> {
  const limitMib = typedQuota(limit);
  // A browser that checks the pattern sends no such form, and no form is there before the quota was read.
  if (limitMib === undefined || seen === undefined) {
    return { failure: { status: 400, message: t("proj.quota_wrong") } };
  }
  return await setQuota(seen, limitMib);
}
