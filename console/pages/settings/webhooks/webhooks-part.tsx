import { useSignal } from "@preact/signals";
import { Link, useParams } from "wouter-preact";
import { may } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { toPage } from "../../../state/to-page.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { ListHead } from "../form/list-head.tsx";
import { Listed } from "../form/loaded.tsx";
import { projectsText } from "../form/project-choice.tsx";
import { SecretCard } from "../form/secret-card.tsx";
import { StateBadge } from "../form/state-badge.tsx";
import { typesText } from "./form.ts";
import { readWebhooks, type Webhook } from "./requests.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { WebhookView } from "./webhook-view.tsx";

/** Webhooks, or one of them with its deliveries. */
export function WebhooksPart() {
  const { id } = useParams<{ readonly id?: string }>();
  return id === undefined ? <WebhookList /> : <WebhookView key={id} id={id} />;
}

function WebhookList() {
  const list = useAnswer(readWebhooks, "");
  const isNew = useSignal(false);
  const made = useSignal<
    { readonly name: string; readonly secret: string | undefined } | undefined
  >(undefined);
  return (
    <>
      <ListHead
        hint={t("hooks.hint")}
        newLabel={t("hooks.new")}
        mayMake={may("equipment:write")}
        onNew={() => {
          isNew.value = true;
        }}
      />
      {made.value === undefined ? null : (
        <SecretCard
          title={t("hooks.secret_of", { name: made.value.name })}
          name={t("hooks.secret")}
          secret={made.value.secret}
          lost={t("hooks.secret_lost")}
          onClose={() => {
            made.value = undefined;
          }}
        />
      )}
      <Listed answer={list} none={t("hooks.none")} keyOf={({ id }: Webhook) => id}>
        {(webhook) => <WebhookCard webhook={webhook} />}
      </Listed>
      {isNew.value ? (
        <WebhookDialog
          id={undefined}
          onDone={({ name, secret }) => {
            isNew.value = false;
            made.value = { name, secret };
            void list.read();
          }}
          onClose={() => {
            isNew.value = false;
          }}
        />
      ) : null}
    </>
  );
}

function WebhookCard({ webhook }: { readonly webhook: Webhook }) {
  const { id, name, url, types, project_ids, status } = webhook;
  return (
    <>
      <div class="set-head">
        <h2>
          <Link href={toPage(`/settings/webhooks/${id}`)}>{name}</Link>
        </h2>
        <StateBadge status={status} />
      </div>
      <p>
        <code>{url}</code>
      </p>
      <p class="small muted">
        {typesText(types, t("hooks.all_types"))} · {projectsText(project_ids)}
      </p>
    </>
  );
}
