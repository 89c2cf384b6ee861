import { useSignal, useSignalEffect } from "@preact/signals";
import { Link } from "wouter-preact";
import type { Failure } from "../../api/failure.ts";
import type { Alert } from "../../api/live-messages.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { AlertLine } from "../../parts/alert-line.tsx";
import { Fact } from "../../parts/facts.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { alertText } from "../../parts/sentences.ts";
import { Age, When } from "../../parts/time.tsx";
import { openAlerts, readOpenAlerts } from "../../state/alerts.ts";
import { liveEvents } from "../../state/events.ts";
import { fences } from "../../state/fences.ts";
import type { Machine } from "../../state/machine.ts";
import { projectId } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { urgentFirst } from "../alerts/order.ts";
import { acknowledgeIds } from "../alerts/requests.ts";
import type { Visit } from "../fences/visits-csv.ts";
import { type CardAnswer, readCard } from "./card-answer.ts";
import { latenessOf } from "./lateness.ts";

/** How often it is read, ms; an event of the machine does it at once. */
const EVERY_MS = 10_000;
/** Alerts that the card has: more would push the rest of it out of the screen. */
const ALERTS = 3;

/** What the card asks for of a machine; again when an event of it comes. */
export function useCardAnswer(id: string) {
  const { data, failure, read } = useAnswer(() => readCard(id), id, EVERY_MS);
  const newest = useSignal<number | undefined>(undefined);

  useSignalEffect(() => {
    const event = liveEvents.value.find(({ asset_id }) => asset_id === id);
    if (event === undefined || event.sequence === newest.peek()) return;
    newest.value = event.sequence;
    void read();
  });
  return { answer: data.value, failure: failure.value };
}

interface AnswerProps {
  readonly answer: CardAnswer | undefined;
}

/** A position that came late was not seen while the machine was there. */
export function LateFact({ fixMs, answer }: AnswerProps & Pick<Machine, "fixMs">) {
  const late = latenessOf(fixMs, answer?.messages ?? []);
  if (late === undefined) return null;
  const delay = show.span(late.delayMs);
  return (
    <Fact name={t("card.late")}>
      <strong>{t("card.late_by", { delay })}</strong>{" "}
      <span class="muted">
        {t("card.received")} <When ms={late.receivedMs} />
      </span>
    </Fact>
  );
}

/** Fuel, and the fences that the machine is in. */
export function CardFacts({ answer }: AnswerProps) {
  const loading = `${t("app.loading")}…`;
  return (
    <>
      <Fact name={t("card.fuel")}>
        {answer === undefined ? loading : <Fuel latest={answer.latest} />}
      </Fact>
      <Fact name={t("card.fences")}>
        {answer === undefined ? loading : <Fences visits={answer.visits} />}
      </Fact>
    </>
  );
}

function Fuel({ latest }: Pick<CardAnswer, "latest">) {
  const level = latest["fuel_level_percent"];
  if (level === undefined) return <span class="muted">{t("card.no_fuel")}</span>;
  return (
    <>
      {show.percent(level.value)}
      <span class="muted">
        {", "}
        {t("card.fuel_source")}, <Age ms={Date.parse(level.timestamp)} />
      </span>
    </>
  );
}

/** Fences that the machine is in, and since when. */
function Fences({ visits }: Pick<CardAnswer, "visits">) {
  if (visits.length === 0) return <span class="muted">{t("card.no_fence")}</span>;
  return (
    <ul>
      {visits.map((visit) => (
        <li key={visit.id}>
          <Link href={toPage(`/fences/${visit.geofence_id}/visits`)}>
            {fences.value.find(({ id }) => id === visit.geofence_id)?.name ?? visit.geofence_id}
          </Link>{" "}
          {t("card.since", { time: show.dateTime(Date.parse(visit.entered_at)) })} (
          <Age ms={Date.parse(visit.entered_at)} />)
          <span class="muted small block">{basisOf(visit)}</span>
        </li>
      ))}
    </ul>
  );
}

/** What the begin of a stay rests on, where that is not a crossing that was seen. */
function basisOf({ inferred, entry }: Visit): string {
  if (inferred) return t("fences.inferred");
  switch (entry.cause) {
    case "first_fix":
    case "fence_changed":
    case "asset_moved":
      return t(`track.cause.${entry.cause}`);
    default:
      return "";
  }
}

/** Open alerts of the machine, the worst first, each with its acknowledgement. */
export function CardAlerts({ assetId }: { readonly assetId: string }) {
  const failure = useSignal<Failure | undefined>(undefined);
  const isSending = useSignal(false);
  const keyOf = useRepeatKey();
  const alerts = urgentFirst(
    [...openAlerts.value.values()].filter(({ asset_id }) => asset_id === assetId),
  );
  const rest = alerts.length - ALERTS;

  async function acknowledge({ id }: Alert) {
    if (isSending.peek()) return;
    isSending.value = true;
    const outcome = await acknowledgeIds([id], "", keyOf(id));
    isSending.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    // The live stream says the same; without it, a read does.
    if ("value" in outcome) await readOpenAlerts(projectId.peek());
  }

  return (
    <section class="card-alerts" aria-labelledby="card-alerts">
      <h3 id="card-alerts">{t("map.open_alerts")}</h3>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {alerts.length === 0 ? <p class="muted">{t("map.none")}</p> : null}
      {alerts.slice(0, ALERTS).map((alert) => (
        <div key={alert.id} class="card-alert">
          <AlertLine alert={alert} />
          {may("equipment:write") ? (
            <button
              type="button"
              disabled={isSending.value}
              aria-label={t("card.acknowledge_of", { message: alertText(alert) })}
              onClick={() => void acknowledge(alert)}
            >
              {t("card.acknowledge")}
            </button>
          ) : null}
        </div>
      ))}
      {rest > 0 ? (
        <p class="small">
          <Link href={toPage("/alerts", { asset: assetId })}>{tn("card.more_alerts", rest)}</Link>
        </p>
      ) : null}
    </section>
  );
}
