import { useSignal } from "@preact/signals";
import type { Failure } from "../../../api/failure.ts";
import type { Outcome } from "../../../api/outcome.ts";
import { t } from "../../../i18n/t.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import { useLogo } from "../../../state/project-logo.ts";
import { deleteLogo, type Project, sendLogo } from "./requests.ts";

interface LogoFactProps {
  readonly project: Project;
  readonly mayChange: boolean;
}

/** The sign that reports and printed pages of a project show, and another one for it. */
export function LogoFact({ project: { id, name }, mayChange }: LogoFactProps) {
  const { address, failure: readFailure, read } = useLogo(id);
  const isBusy = useSignal(false);
  const failure = useSignal<Failure | undefined>(undefined);

  async function change(send: () => Promise<Outcome<unknown>>) {
    if (isBusy.peek()) return;
    isBusy.value = true;
    const outcome = await send();
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) void read();
  }

  const shownFailure = failure.value ?? readFailure.value;
  return (
    <div class="stack">
      {address.value === undefined ? (
        <span class="muted">{t("logo.none")}</span>
      ) : (
        <img class="project-logo" src={address.value} alt={t("logo.of", { name })} />
      )}
      {mayChange ? (
        <div class="tool-row">
          <label class="file-button small">
            {t("logo.choose")}
            <input
              type="file"
              accept=".png,.jpg,.jpeg,.webp"
              aria-label={t("logo.choose_of", { name })}
              disabled={isBusy.value}
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0];
                // The same file may be chosen again.
                if (file !== undefined) void change(() => sendLogo(id, file));
                currentTarget.value = "";
              }}
            />
          </label>
          {address.value === undefined ? null : (
            <button
              type="button"
              aria-label={t("logo.remove_of", { name })}
              disabled={isBusy.value}
              onClick={() => void change(() => deleteLogo(id))}
            >
              {t("logo.remove")}
            </button>
          )}
        </div>
      ) : null}
      {mayChange ? <p class="muted small">{t("logo.hint")}</p> : null}
      {shownFailure === undefined ? null : <FailureNotice failure={shownFailure} />}
    </div>
  );
}
