import { useSignal } from "@preact/signals";
import { Link, useLocation } from "wouter-preact";
import { may } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { toPage } from "../../../state/to-page.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { Loaded } from "../form/loaded.tsx";
import { SecretCard } from "../form/secret-card.tsx";
import { Deliveries } from "./deliveries.tsx";
import { readWebhook } from "./requests.ts";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { WebhookFacts } from "./webhook-facts.tsx";

const LIST = "/settings/webhooks";

/** One webhook: what it posts, what may be done with it, and what became of its messages. */
export function WebhookView({ id }: { readonly id: string }) {
  const [, go] = useLocation();
  const webhook = useAnswer(() => readWebhook(id), id);
  const isEditing = useSignal(false);
  const secret = useSignal<{ readonly text: string | undefined } | undefined>(undefined);
  return (
    <>
      <p>
        <Link href={toPage(LIST)}>{t("hooks.back")}</Link>
      </p>
      <Loaded answer={webhook}>
        {({ value }) => (
          <section class="card" aria-labelledby="webhook">
            <h2 id="webhook">{value.name}</h2>
            <WebhookFacts webhook={value} />
            {may("equipment:write") ? (
              <WebhookActions
                webhook={value}
                onEdit={() => {
                  isEditing.value = true;
                }}
                onChange={() => void webhook.read()}
                onSecret={(text) => {
                  secret.value = { text };
                }}
                onDeleted={() => go(toPage(LIST))}
              />
            ) : null}
          </section>
        )}
      </Loaded>
      {secret.value === undefined ? null : (
        <SecretCard
          title={t("hooks.secret_of", { name: webhook.data.value?.value.name ?? id })}
          name={t("hooks.secret")}
          secret={secret.value.text}
          lost={t("hooks.secret_lost")}
          onClose={() => {
            secret.value = undefined;
          }}
        />
      )}
      {webhook.data.value === undefined ? null : <Deliveries id={id} />}
      {isEditing.value ? (
        <WebhookDialog
          id={id}
          onDone={() => {
            isEditing.value = false;
            void webhook.read();
          }}
          onClose={() => {
            isEditing.value = false;
          }}
        />
      ) : null}
    </>
  );
}
