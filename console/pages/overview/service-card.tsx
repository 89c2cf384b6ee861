import { useRef } from "preact/hooks";
import { serviceNow } from "../../api/service-clock.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { type Readiness, readReadiness } from "./readiness.ts";
import { type Trouble, troublesOf } from "./troubles.ts";

/** How often the service is asked, ms: somebody has to act on it, and nobody within seconds. */
const EVERY_MS = 15_000;

/** What is wrong with the service and since when; nothing while all is well. */
export function ServiceCard() {
  const readiness = useAnswer(readReadiness, "", EVERY_MS);
  const known = useRef<{ readonly of: Readiness; readonly troubles: readonly Trouble[] }>();
  const { value } = readiness.data;
  if (value !== undefined && value !== known.current?.of) {
    const troubles = troublesOf(value, known.current?.troubles ?? [], serviceNow());
    known.current = { of: value, troubles };
  }
  const troubles = known.current?.troubles ?? [];
  if (value === undefined || troubles.length === 0) return null;
  const isReady = value.status === "ready";
  return (
    <section
      class={isReady ? "notice stack" : "notice notice-bad stack"}
      role="status"
      aria-labelledby="service-trouble"
    >
      <h2 id="service-trouble">
        {t(isReady ? "service_state.warning" : "service_state.not_ready")}
      </h2>
      <ul class="rows">
        {troubles.map(({ text, foundMs, seenMs }) => (
          <li key={text}>
            <p>{text}</p>
            <p class="muted small">
              {foundMs === undefined
                ? t("service_state.seen", { time: show.dateTime(seenMs) })
                : t("service_state.found", { time: show.dateTime(foundMs) })}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
