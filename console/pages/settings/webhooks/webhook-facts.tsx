import { t } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { When } from "../../../parts/time.tsx";
import { projectsText } from "../form/project-choice.tsx";
import { StateBadge } from "../form/state-badge.tsx";
import { typesText } from "./form.ts";
import type { Webhook } from "./requests.ts";

/** A webhook in words. */
export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { url, types, project_ids, status, disabled_reason, created_at, updated_at } = webhook;
  return (
    <dl class="facts">
      <Fact name={t("set.status")}>
        <StateBadge status={status} />
        {status === "disabled" ? (
          <span class="muted small">
            {" "}
            {disabled_reason === undefined
              ? t("set.reason_unknown")
              : t("set.reason", { reason: disabled_reason })}
          </span>
        ) : null}
      </Fact>
      <Fact name={t("hooks.url")}>
        <code>{url}</code>
      </Fact>
      <Fact name={t("hooks.types")}>{typesText(types, t("hooks.all_types"))}</Fact>
      <Fact name={t("set.projects")}>{projectsText(project_ids)}</Fact>
      <Fact name={t("set.changed")}>
        <When ms={Date.parse(updated_at)} />{" "}
        <span class="muted small">
          {t("set.made")} <When ms={Date.parse(created_at)} />
        </span>
      </Fact>
    </dl>
  );
}
