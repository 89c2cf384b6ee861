import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { logIn } from "../../api/session.ts";
import { session } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";

/**
 * Takes an API key. The address stays as it is, so that the person goes on where the session ended. `refused`: why the
 * key of a link was not taken.
 */
export function LoginPage({ refused }: { readonly refused: Failure | undefined }) {
  const failure = useSignal<Failure | undefined>(undefined);
  const last = failure.value ?? refused;
  const isChecking = useSignal(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const field = new FormData(event.currentTarget as HTMLFormElement).get("key");
    const key = typeof field === "string" ? field.trim() : "";
    if (isChecking.value || key === "") return;
    isChecking.value = true;
    failure.value = await logIn(key);
    isChecking.value = false;
  }

  return (
    <main class="login">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <p class="brand">{t("app.name")}</p>
        <PageHead title={t("login.title")} />
        {session.value === "ended" ? <p class="notice">{t("login.ended")}</p> : null}
        {/* Password managers keep a password under a name. */}
        <input
          class="hidden"
          name="username"
          value="plumbline"
          autocomplete="username"
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <label>
          {t("login.key")}
          <input
            name="key"
            type="password"
            autocomplete="current-password"
            required
            maxLength={200}
            aria-describedby="login-hint"
          />
        </label>
        <p class="muted small" id="login-hint">
          {t("login.hint")}
        </p>
        {last === undefined ? null : <LoginFailure failure={last} />}
        <button type="submit" class="main" disabled={isChecking.value}>
          {isChecking.value ? t("login.checking") : t("login.submit")}
        </button>
      </form>
    </main>
  );
}

function LoginFailure({ failure }: { readonly failure: Failure }) {
  const said = { 401: "login.wrong", 429: "login.many" } as const;
  const key = failure.status === 401 || failure.status === 429 ? said[failure.status] : undefined;
  if (key === undefined) return <FailureNotice failure={failure} />;
  return (
    <p class="notice notice-bad" role="alert">
      {t(key)}
    </p>
  );
}
