import { useSignal } from "@preact/signals";
import { session } from "../../../api/session-state.ts";
import { t, tn } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { Empty, FailureNotice } from "../../../parts/notices.tsx";
import { SureDialog } from "../../../parts/sure-dialog.tsx";
import { When } from "../../../parts/time.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { ListHead } from "../form/list-head.tsx";
import { Loaded } from "../form/loaded.tsx";
import { projectsText } from "../form/project-choice.tsx";
import { SecretCard } from "../form/secret-card.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { KeyName } from "./key-name.tsx";
import {
  type ApiKey,
  type CreatedApiKey,
  readKeys,
  readSignIns,
  revokeKey,
  type SignIn,
} from "./requests.ts";

/** API keys: what each may do, when it was used, and who is signed in with it. */
export function KeysPart() {
  const keys = useAnswer(readKeys, "");
  const signIns = useAnswer(readSignIns, "");
  const isNew = useSignal(false);
  const made = useSignal<CreatedApiKey | undefined>(undefined);
  const revoked = useSignal<ApiKey | undefined>(undefined);
  const readAll = () => {
    void keys.read();
    void signIns.read();
  };
  return (
    <>
      <ListHead
        hint={t("keys.hint")}
        newLabel={t("keys.new")}
        mayMake
        onNew={() => {
          isNew.value = true;
        }}
      />
      {made.value === undefined ? null : (
        <SecretCard
          title={t("keys.key_of", { name: made.value.name })}
          name={t("keys.key")}
          secret={made.value.key}
          lost={t("keys.key_lost")}
          onClose={() => {
            made.value = undefined;
          }}
        />
      )}
      {signIns.failure.value === undefined ? null : (
        <FailureNotice failure={signIns.failure.value} />
      )}
      <Loaded answer={keys}>
        {({ data, pagination: { total } }) => (
          <KeyLists
            keys={data}
            total={total}
            signIns={signIns.data.value?.data}
            onRenamed={readAll}
            onRevoke={(key) => {
              revoked.value = key;
            }}
          />
        )}
      </Loaded>
      {isNew.value ? (
        <KeyDialog
          onDone={(key) => {
            isNew.value = false;
            made.value = key;
            readAll();
          }}
          onClose={() => {
            isNew.value = false;
          }}
        />
      ) : null}
      {revoked.value === undefined ? null : (
        <RevokeDialog
          apiKey={revoked.value}
          onDone={() => {
            if (made.peek()?.id === revoked.peek()?.id) made.value = undefined;
            revoked.value = undefined;
            readAll();
          }}
          onClose={() => {
            revoked.value = undefined;
          }}
        />
      )}
    </>
  );
}

interface KeyListsProps {
  readonly keys: readonly ApiKey[];
  readonly total: number;
  /** Absent: not known. */
  readonly signIns: readonly SignIn[] | undefined;
  readonly onRenamed: () => void;
  readonly onRevoke: (key: ApiKey) => void;
}

function KeyLists({ keys, total, signIns, onRenamed, onRevoke }: KeyListsProps) {
  const valid = keys.filter(({ revoked_at }) => revoked_at === undefined);
  const revoked = keys.filter(({ revoked_at }) => revoked_at !== undefined);
  return (
    <>
      {valid.length === 0 ? <Empty title={t("keys.none")} /> : null}
      <ul class="set-list">
        {valid.map((key) => (
          <li key={key.id} class="card">
            <KeyName apiKey={key} isOwn={isOwnKey(key.id)} onRenamed={onRenamed} />
            <KeyFacts apiKey={key} signIns={signIns} />
            <div>
              <button
                type="button"
                aria-label={t("keys.revoke_named", { name: key.name })}
                onClick={() => onRevoke(key)}
              >
                {t("keys.revoke")}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {total > keys.length ? <p class="muted">{t("set.more", { n: keys.length, total })}</p> : null}
      {revoked.length === 0 ? null : (
        <details>
          <summary>{tn("keys.revoked_count", revoked.length)}</summary>
          <ul class="rows">
            {revoked.map(({ id, name, prefix, revoked_at = "" }) => (
              <li key={id}>
                <p>
                  <strong>
                    <bdi>{name}</bdi>
                  </strong>{" "}
                  <code>{prefix}…</code>
                </p>
                <p class="small muted">
                  {t("keys.revoked")} <When ms={Date.parse(revoked_at)} />
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface KeyFactsProps {
  readonly apiKey: ApiKey;
  readonly signIns: readonly SignIn[] | undefined;
}

function KeyFacts({ apiKey, signIns }: KeyFactsProps) {
  const { id, prefix, scopes, plan, project_ids, expires_at, last_used_at, created_at } = apiKey;
  const own = signIns?.filter(({ key_id }) => key_id === id);
  return (
    <dl class="facts">
      <Fact name={t("keys.key")}>
        <code>{prefix}…</code>
        {isOwnKey(id) ? <span class="muted"> ({t("keys.own")})</span> : null}
      </Fact>
      <Fact name={t("keys.scopes")}>{scopes.join(", ")}</Fact>
      <Fact name={t("set.projects")}>{projectsText(project_ids)}</Fact>
      <Fact name={t("keys.plan")}>{t(`keys.plan.${plan}`)}</Fact>
      <Fact name={t("keys.last_used")}>
        {last_used_at === undefined ? (
          <span class="muted">{t("keys.never_used")}</span>
        ) : (
          <When ms={Date.parse(last_used_at)} />
        )}
      </Fact>
      <Fact name={t("keys.sign_ins")}>
        {own === undefined ? (
          <span class="muted">{t("value.unknown")}</span>
        ) : own.length === 0 ? (
          t("keys.no_sign_ins")
        ) : (
          tn("keys.sign_in", own.length, { addresses: addressesOf(own) })
        )}
      </Fact>
      <Fact name={t("keys.expires")}>
        {expires_at === undefined ? t("keys.never") : <When ms={Date.parse(expires_at)} />}
      </Fact>
      <Fact name={t("keys.created")}>
        <When ms={Date.parse(created_at)} />
      </Fact>
    </dl>
  );
}

const addressesOf = (signIns: readonly SignIn[]): string =>
  [...new Set(signIns.map(({ address }) => address))].join(", ");

function isOwnKey(id: string): boolean {
  const { value } = session;
  return typeof value === "object" && value.key_id === id;
}

interface RevokeDialogProps {
  readonly apiKey: ApiKey;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ apiKey: { id, name }, onDone, onClose }: RevokeDialogProps) {
  return (
    <SureDialog
      title={t("keys.revoke_title", { name })}
      ways={[[t("keys.revoke"), () => revokeKey(id)]]}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{t("keys.revoke_hint")}</p>
      {isOwnKey(id) ? <p class="notice notice-bad">{t("keys.revoke_own")}</p> : null}
    </SureDialog>
  );
}
