import type { Alert } from "../api/live-messages.ts";
import { show } from "../format/show.ts";
import { t, tn } from "../i18n/t.ts";
import { alertText } from "./sentences.ts";
import { Age, When } from "./time.tsx";

/** How bad it is, as a word on its colour. */
export function Severity({ severity }: { readonly severity: Alert["severity"] }) {
  return <span class={`severity severity-${severity}`}>{t(`severity.${severity}`)}</span>;
}

/** What an alert says and since when; text of machines and people is never markup. */
export function AlertLine({ alert }: { readonly alert: Alert }) {
  const opened = Date.parse(alert.opened_at);
  return (
    <div class="alert-line">
      <p>
        <Severity severity={alert.severity} /> {alertText(alert)}
      </p>
      <p class="muted small">
        <Age ms={opened} /> · <When ms={opened} />
        {alert.occurrences > 1 ? ` · ${tn("alerts.times", alert.occurrences)}` : null}
        {alert.device_time === undefined
          ? null
          : ` · ${t("alerts.device_time", { time: show.dateTime(Date.parse(alert.device_time)) })}`}
      </p>
      {alert.acknowledged_at === undefined ? null : (
        <p class="muted small">
          {acknowledgement(alert, alert.acknowledged_at)}
          {alert.note === undefined ? null : `: ${alert.note}`}
        </p>
      )}
    </div>
  );
}

function acknowledgement(alert: Alert, at: string): string {
  const time = show.dateTime(Date.parse(at));
  if (alert.mute_id !== undefined) return t("alerts.by_mute", { time });
  const name = alert.acknowledged_by_name ?? alert.acknowledged_by ?? t("value.unknown");
  return t("alerts.by", { name, time });
}
