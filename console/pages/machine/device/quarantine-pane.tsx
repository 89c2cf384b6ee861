import { useSignal } from "@preact/signals";
import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import type { Failure } from "../../../api/failure.ts";
import { outcomeOf } from "../../../api/outcome.ts";
import { useRepeatKey } from "../../../api/repeat-key.ts";
import { may } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import { Age } from "../../../parts/time.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { type Payload, readablePayload } from "./payload.ts";

type Message = components["schemas"]["QuarantinedMessage"];
type Replay = components["schemas"]["QuarantineReplay"];

const EVERY_MS = 10_000;
const ROWS = 20;
/** What the API keeps of a payload in its list, bytes. */
const KEPT_BYTES = 4_096;

interface QuarantinePaneProps {
  readonly assetId: string;
  /** A message is to be tried in a dry run. */
  readonly onTry: (payload: Payload) => void;
}

/** Messages of the machine that could not be read, with the reason, and a way to read them again. */
export function QuarantinePane({ assetId, onTry }: QuarantinePaneProps) {
  const replays = useSignal<ReadonlyMap<string, Replay>>(new Map());
  const failure = useSignal<Failure | undefined>(undefined);
  const sending = useSignal<ReadonlySet<string>>(new Set());
  const keyOf = useRepeatKey();
  const list = useAnswer(
    () =>
      outcomeOf(
        api.GET("/api/v1/equipment/quarantine", {
          params: { query: { asset_id: assetId, limit: ROWS } },
        }),
      ),
    assetId,
    EVERY_MS,
  );

  async function replay(id: string) {
    if (sending.peek().has(id)) return;
    sending.value = new Set(sending.peek()).add(id);
    const outcome = await outcomeOf(
      api.POST("/api/v1/equipment/quarantine/{message_id}/replay", {
        params: { path: { message_id: id }, header: { "Idempotency-Key": keyOf(id) } },
      }),
    );
    sending.value = new Set([...sending.peek()].filter((one) => one !== id));
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) {
      // After a correction the same message may be read once more, and that is another request.
      keyOf.done();
      replays.value = new Map(replays.peek()).set(id, outcome.value);
    }
    await list.read();
  }

  const { value } = list.data;
  return (
    <section class="card" aria-labelledby="quarantine">
      <h2 id="quarantine">{t("quarantine.title")}</h2>
      <p class="muted small">{t("quarantine.hint")}</p>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {list.failure.value === undefined ? null : <FailureNotice failure={list.failure.value} />}
      {value?.data.length === 0 ? <p class="muted">{t("quarantine.none")}</p> : null}
      <ul class="rows">
        {value?.data.map((message) => (
          <li key={message.id}>
            <MessageRow message={message} replay={replays.value.get(message.id)} />
            <div class="buttons">
              {may("equipment:write") ? (
                <button
                  type="button"
                  disabled={sending.value.has(message.id)}
                  onClick={() => void replay(message.id)}
                >
                  {t("quarantine.replay")}
                </button>
              ) : null}
              <button type="button" onClick={() => onTry(readablePayload(message.payload_base64))}>
                {t("quarantine.try")}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {value === undefined || value.dropped === 0 ? null : (
        <p class="muted small">{tn("quarantine.dropped", value.dropped)}</p>
      )}
    </section>
  );
}

interface MessageRowProps {
  readonly message: Message;
  readonly replay: Replay | undefined;
}

function MessageRow({ message, replay }: MessageRowProps) {
  const { received_at, reason, topic, format, payload_bytes, payload_base64, replayed_at } =
    message;
  const payload = readablePayload(payload_base64);
  return (
    <>
      <p>
        <strong>{reason}</strong>
      </p>
      <p class="muted small">
        <Age ms={Date.parse(received_at)} /> · {format} · {topic}
        {replayed_at === undefined
          ? null
          : ` · ${t("quarantine.replayed", { time: show.dateTime(Date.parse(replayed_at)) })}`}
      </p>
      <pre class="code small">
        {payload.encoding === "text"
          ? payload.text
          : t("quarantine.binary", {
              bytes: show.number(payload_bytes),
              payload: payload.text,
            })}
      </pre>
      {payload_bytes > KEPT_BYTES ? <p class="muted small">{t("quarantine.cut")}</p> : null}
      <p role="status" class="small">
        {replay === undefined
          ? null
          : replay.accepted
            ? t("quarantine.accepted")
            : t("quarantine.refused", { reason: replay.reason ?? t("value.unknown") })}
      </p>
    </>
  );
}
