import { useSignal } from "@preact/signals";
import type { Failure } from "../../../api/failure.ts";
import { useRepeatKey } from "../../../api/repeat-key.ts";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import { SureDialog } from "../../../parts/sure-dialog.tsx";
import {
  changeWebhook,
  deleteWebhook,
  rotateSecret,
  testWebhook,
  type Webhook,
} from "./requests.ts";

type Asked = "disable" | "enable" | "rotate" | "delete";

interface WebhookActionsProps {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onChange: () => void;
  readonly onSecret: (secret: string | undefined) => void;
  readonly onDeleted: () => void;
}

/** What may be done with a webhook; what is not easily undone is asked first. */
export function WebhookActions(props: WebhookActionsProps) {
  const { webhook, onEdit } = props;
  const asked = useSignal<Asked | undefined>(undefined);
  const ask = (what: Asked) => () => {
    asked.value = what;
  };
  return (
    <>
      <div class="tool-row">
        <button type="button" onClick={onEdit}>
          {t("set.edit")}
        </button>
        <button type="button" onClick={ask(webhook.status === "active" ? "disable" : "enable")}>
          {t(webhook.status === "active" ? "set.disable" : "set.enable")}
        </button>
        <button type="button" onClick={ask("rotate")}>
          {t("hooks.rotate")}
        </button>
        <button type="button" onClick={ask("delete")}>
          {t("set.delete")}
        </button>
      </div>
      <TestButton id={webhook.id} />
      <Question
        {...props}
        asked={asked.value}
        onClose={() => {
          asked.value = undefined;
        }}
      />
    </>
  );
}

interface QuestionProps extends WebhookActionsProps {
  readonly asked: Asked | undefined;
  readonly onClose: () => void;
}

function Question({ asked, webhook, onChange, onSecret, onDeleted, onClose }: QuestionProps) {
  const { id, name } = webhook;
  const keyOf = useRepeatKey();
  const close = { onClose };
  const changed = () => {
    onClose();
    onChange();
  };
  if (asked === "disable") {
    return (
      <SureDialog
        {...close}
        title={t("set.disable_title", { name })}
        ways={[[t("set.disable"), () => changeWebhook(id, { status: "disabled" })]]}
        onDone={changed}
      >
        <p>{t("hooks.disable_hint")}</p>
      </SureDialog>
    );
  }
  if (asked === "enable") {
    return (
      <SureDialog
        {...close}
        title={t("set.enable_title", { name })}
        ways={[
          [t("set.skip_missed"), () => changeWebhook(id, { status: "active", skip_missed: true })],
          [t("set.send_missed"), () => changeWebhook(id, { status: "active" })],
        ]}
        onDone={changed}
      >
        <p>{t("hooks.enable_hint")}</p>
      </SureDialog>
    );
  }
  if (asked === "rotate") {
    return (
      <SureDialog
        {...close}
        title={t("hooks.rotate_title", { name })}
        ways={[[t("hooks.rotate"), () => rotateSecret(id, keyOf(id))]]}
        onDone={({ secret }) => {
          keyOf.done();
          onClose();
          onSecret(secret);
        }}
      >
        <p>{t("hooks.rotate_hint")}</p>
      </SureDialog>
    );
  }
  if (asked === "delete") {
    return (
      <SureDialog
        {...close}
        title={t("set.delete_title", { name })}
        ways={[[t("set.delete"), () => deleteWebhook(id)]]}
        onDone={() => {
          onClose();
          onDeleted();
        }}
      >
        <p>{t("hooks.delete_hint")}</p>
      </SureDialog>
    );
  }
  return null;
}

/** Posts a message without an event, and says how the receiver answered. */
function TestButton({ id }: { readonly id: string }) {
  const isBusy = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);
  const said = useSignal("");
  const keyOf = useRepeatKey();

  async function test() {
    if (isBusy.peek()) return;
    isBusy.value = true;
    said.value = "";
    const outcome = await testWebhook(id, keyOf(id));
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if (!("value" in outcome)) return;
    keyOf.done();
    const { delivered, http_status, error, duration_ms } = outcome.value;
    said.value = t(delivered ? "hooks.test_ok" : "hooks.test_bad", {
      answer: http_status === undefined ? (error ?? t("value.unknown")) : `HTTP ${http_status}`,
      time: show.number(duration_ms),
    });
  }

  return (
    <>
      <div class="tool-row">
        <button type="button" disabled={isBusy.value} onClick={() => void test()}>
          {t("hooks.test")}
        </button>
        <span role="status" class="small">
          {said.value}
        </span>
      </div>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
    </>
  );
}
