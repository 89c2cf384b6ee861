import { useSignal } from "@preact/signals";
import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import type { Failure } from "../../../api/failure.ts";
import { outcomeOf } from "../../../api/outcome.ts";
import { may } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import { Age } from "../../../parts/time.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { CommandForm } from "./command-form.tsx";

type Command = components["schemas"]["Command"];

/** How often the list is read, ms: a device that is connected answers within a second or two. */
const EVERY_MS = 4_000;
const ROWS = 20;

/** Commands to the device: to send one, and what became of the last ones. */
export function Commands({ assetId }: { readonly assetId: string }) {
  const failure = useSignal<Failure | undefined>(undefined);
  const path = { asset_id: assetId };
  const list = useAnswer(
    () =>
      outcomeOf(
        api.GET("/api/v1/equipment/assets/{asset_id}/commands", {
          params: { path, query: { limit: ROWS } },
        }),
      ),
    assetId,
    EVERY_MS,
  );

  async function cancel(id: string) {
    const outcome = await outcomeOf(
      api.DELETE("/api/v1/equipment/assets/{asset_id}/commands/{command_id}", {
        params: { path: { ...path, command_id: id } },
      }),
    );
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    await list.read();
  }

  const { value } = list.data;
  return (
    <section class="card" aria-labelledby="commands">
      <h2 id="commands">{t("command.title")}</h2>
      <p class="muted small">{t("command.hint")}</p>
      {may("equipment:command") ? (
        <CommandForm assetId={assetId} onSent={() => void list.read()} />
      ) : (
        <p class="muted">{t("command.no_scope")}</p>
      )}
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {list.failure.value === undefined ? null : <FailureNotice failure={list.failure.value} />}
      {value?.data.length === 0 ? <p class="muted">{t("command.none")}</p> : null}
      <ul class="rows">
        {value?.data.map((command) => (
          <li key={command.id}>
            <CommandRow command={command} />
            {command.status === "queued" && may("equipment:command") ? (
              <button type="button" onClick={() => void cancel(command.id)}>
                {t("command.cancel")}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function CommandRow({ command }: { readonly command: Command }) {
  const { name, parameters, status, failure, detail, attempt, max_attempts, answer } = command;
  const why = [failure === undefined ? undefined : t(`command.failure.${failure}`), detail]
    .filter((text) => text !== undefined)
    .join(": ");
  return (
    <>
      <p>
        <strong>{name}</strong>{" "}
        {parameters === undefined ? null : <code>{asText(parameters)}</code>}
      </p>
      <p class="small">
        {t(`command.status.${status}`)}
        {why === "" ? null : `: ${why}`} · <Age ms={Date.parse(command.changed_at)} />
      </p>
      {answer === undefined ? null : (
        <p class="small">
          {t("command.answer", { answer: asText(answer.value) })}
          {answer.truncated ? ` (${t("command.truncated")})` : null}
        </p>
      )}
      <p class="muted small">
        {attempt === 0 ? null : `${t("command.attempts", { n: attempt, max: max_attempts })} · `}
        {t("command.expires", { time: show.dateTime(Date.parse(command.expires_at)) })}
      </p>
    </>
  );
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);
