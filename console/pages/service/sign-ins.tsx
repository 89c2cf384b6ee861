import { useSignal } from "@preact/signals";
import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { outcomeOf } from "../../api/outcome.ts";
import { t } from "../../i18n/t.ts";
import { FailureNotice, Loading } from "../../parts/notices.tsx";
import { SureDialog } from "../../parts/sure-dialog.tsx";
import { When } from "../../parts/time.tsx";
import { useAnswer } from "../../state/use-answer.ts";

type SignIn = components["schemas"]["Session"];

/** Sign-ins that one request takes. */
const MOST = 1_000;

const readSignIns = () =>
  outcomeOf(
    api.GET("/api/v1/sessions", { params: { query: { sort: "-created_at", limit: MOST } } }),
  );

const endSignIn = (id: string) =>
  outcomeOf<unknown>(
    api.DELETE("/api/v1/sessions/{session_id}", { params: { path: { session_id: id } } }),
  );

/** Browsers that are signed in, the newest first. Sign-ins that ended are not kept by the service. */
export function SignIns() {
  const sessions = useAnswer(readSignIns, "");
  const ended = useSignal<SignIn | undefined>(undefined);
  const close = () => {
    ended.value = undefined;
  };
  const { value } = sessions.data;
  const failure = sessions.failure.value;
  return (
    <section aria-labelledby="sign-ins">
      <h2 id="sign-ins">{t("service.sign_ins")}</h2>
      <p class="muted small">{t("service.sign_ins_basis")}</p>
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void sessions.read()} />
      )}
      {value === undefined ? (
        failure === undefined ? (
          <Loading />
        ) : null
      ) : (
        <ul class="rows sign-ins">
          {value.data.map((session) => (
            <li key={session.id}>
              <SignInRow
                session={session}
                onEnd={() => {
                  ended.value = session;
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {ended.value === undefined ? null : (
        <EndDialog
          session={ended.value}
          onDone={() => {
            close();
            void sessions.read();
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

interface EndDialogProps {
  readonly session: SignIn;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Logs a browser out; its key may log in again. */
function EndDialog({ session: { id, key_name: name, address }, onDone, onClose }: EndDialogProps) {
  return (
    <SureDialog
      title={t("service.sign_out_title", { name, address })}
      ways={[[t("service.sign_out"), () => endSignIn(id)]]}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{t("service.sign_out_hint")}</p>
    </SureDialog>
  );
}

interface SignInRowProps {
  readonly session: SignIn;
  readonly onEnd: () => void;
}

function SignInRow({ session, onEnd }: SignInRowProps) {
  const { key_name, address, user_agent, created_at, last_seen_at, current } = session;
  return (
    <>
      <p>
        <strong>{key_name}</strong> {address}
        {current ? <span class="muted"> ({t("service.sign_in_own")})</span> : null}
      </p>
      <p class="small">
        {t("service.signed_in")} <When ms={Date.parse(created_at)} /> · {t("service.last_seen")}{" "}
        <When ms={Date.parse(last_seen_at)} />
      </p>
      <p class="muted small">{user_agent === "" ? t("value.unknown") : user_agent}</p>
      {/* This browser logs out by the menu, and is then where one logs in. */}
      {current ? null : (
        <button
          type="button"
          aria-label={t("service.sign_out_of", { name: key_name, address })}
          onClick={onEnd}
        >
          {t("service.sign_out")}
        </button>
      )}
    </>
  );
}
