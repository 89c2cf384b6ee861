import { useSignal } from "@preact/signals";
import type { Failure } from "../../../api/failure.ts";
import { useRepeatKey } from "../../../api/repeat-key.ts";
import { may } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { eventWords } from "../../../parts/event-words.ts";
import { Empty, FailureNotice } from "../../../parts/notices.tsx";
import { Select } from "../../../parts/select.tsx";
import { When } from "../../../parts/time.tsx";
import { useAnswer } from "../../../state/use-answer.ts";
import { Loaded } from "../form/loaded.tsx";
import { type Delivery, readDeliveries, replayDelivery } from "./requests.ts";

/** How often the list is read, ms: a receiver that answers has a message within a second or two. */
const EVERY_MS = 4_000;
/** Rows at first, and more by the button; the API has 1,000 an answer. */
const ROWS = 50;
const MOST = 1_000;

const STATUSES = ["pending", "delivered", "failed"] as const;

/** Messages of a webhook, the newest event first, and how the receiver answered. */
export function Deliveries({ id }: { readonly id: string }) {
  const status = useSignal<Delivery["status"] | "">("");
  const limit = useSignal(ROWS);
  const failure = useSignal<Failure | undefined>(undefined);
  const sending = useSignal<ReadonlySet<number>>(new Set());
  const said = useSignal("");
  const keyOf = useRepeatKey();
  const list = useAnswer(
    () => readDeliveries(id, status.peek(), limit.peek()),
    `${id} ${status.value} ${limit.value}`,
    EVERY_MS,
  );

  async function replay(delivery: Delivery) {
    const { sequence, type } = delivery;
    if (sending.peek().has(sequence)) return;
    sending.value = new Set(sending.peek()).add(sequence);
    const outcome = await replayDelivery(id, sequence, keyOf(sequence));
    sending.value = new Set([...sending.peek()].filter((one) => one !== sequence));
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if (!("value" in outcome)) return;
    keyOf.done();
    said.value = t("hooks.replayed", { event: eventWords(type), sequence });
    await list.read();
  }

  return (
    <section class="stack" aria-labelledby="deliveries">
      <div class="set-head">
        <h2 id="deliveries">{t("hooks.deliveries")}</h2>
        <label>
          {t("set.status")}{" "}
          <Select
            value={status.value}
            choices={[
              ["", t("hooks.any_status")],
              ...STATUSES.map((one) => [one, t(`hooks.status.${one}`)] as const),
            ]}
            onChoose={(chosen) => {
              status.value = chosen;
            }}
          />
        </label>
      </div>
      <p class="muted small">{t("hooks.deliveries_hint")}</p>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      <p role="status">{said.value}</p>
      <Loaded answer={list}>
        {({ data, pagination: { total } }) => (
          <>
            {data.length === 0 ? (
              <Empty title={t("hooks.no_deliveries")} />
            ) : (
              <DeliveryTable
                deliveries={data}
                sending={sending.value}
                onReplay={(delivery) => void replay(delivery)}
              />
            )}
            {total > data.length ? (
              <div class="tool-row">
                <span class="muted">{t("set.more", { n: data.length, total })}</span>
                {data.length < MOST ? (
                  <button
                    type="button"
                    onClick={() => {
                      limit.value = Math.min(MOST, limit.peek() * 2);
                    }}
                  >
                    {t("set.show_more")}
                  </button>
                ) : null}
              </div>
            ) : null}
          </>
        )}
      </Loaded>
    </section>
  );
}

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  readonly sending: ReadonlySet<number>;
  readonly onReplay: (delivery: Delivery) => void;
}

function DeliveryTable({ deliveries, sending, onReplay }: DeliveryTableProps) {
  const names = {
    status: t("set.status"),
    attempts: t("hooks.attempts"),
    last: t("hooks.last_attempt"),
    answer: t("hooks.answer"),
  };
  const mayReplay = may("equipment:write");
  return (
    <table class="table deliveries">
      <thead>
        <tr>
          <th scope="col">{t("hooks.event")}</th>
          <th scope="col">{names.status}</th>
          <th scope="col">{names.attempts}</th>
          <th scope="col">{names.last}</th>
          <th scope="col">{names.answer}</th>
          {mayReplay ? <th scope="col">{t("hooks.replay")}</th> : null}
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.sequence}>
            <th scope="row">
              {eventWords(delivery.type)}
              <span class="muted small block">{t("hooks.number", { n: delivery.sequence })}</span>
            </th>
            <td data-label={names.status}>
              <Status delivery={delivery} />
            </td>
            <td data-label={names.attempts}>{show.number(delivery.attempts)}</td>
            <td data-label={names.last}>
              {delivery.last_attempt_at === undefined ? (
                <span class="muted">{t("hooks.not_tried")}</span>
              ) : (
                <When ms={Date.parse(delivery.last_attempt_at)} />
              )}
            </td>
            <td data-label={names.answer}>{answerText(delivery)}</td>
            {mayReplay ? (
              <td data-label={t("hooks.replay")}>
                <button
                  type="button"
                  aria-label={t("hooks.replay_named", { n: delivery.sequence })}
                  disabled={sending.has(delivery.sequence)}
                  onClick={() => onReplay(delivery)}
                >
                  {t("hooks.replay")}
                </button>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Status({ delivery: { status, next_attempt_at } }: { readonly delivery: Delivery }) {
  return (
    <>
      <span class={status === "failed" ? "set-state set-state-bad" : "set-state"}>
        {t(`hooks.status.${status}`)}
      </span>
      {next_attempt_at === undefined ? null : (
        <span class="muted small block">
          {t("hooks.next", { time: show.dateTime(Date.parse(next_attempt_at)) })}
        </span>
      )}
    </>
  );
}

/** How the receiver answered last; it says so where none did. */
function answerText({
  last_http_status,
  last_error,
  last_duration_ms,
  attempts,
}: Delivery): string {
  if (attempts === 0 && last_http_status === undefined) return t("hooks.no_answer_yet");
  const parts = [
    last_http_status === undefined ? undefined : `HTTP ${last_http_status}`,
    last_error,
    last_duration_ms === undefined ? undefined : tn("hooks.took", last_duration_ms),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? t("value.unknown") : parts.join(" · ");
}
