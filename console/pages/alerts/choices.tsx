import { Link } from "wouter-preact";
import type { Alert } from "../../api/live-messages.ts";
import { t } from "../../i18n/t.ts";
import { AlertLine } from "../../parts/alert-line.tsx";
import { ALERT_TYPES } from "../../parts/event-words.ts";
import { alertText } from "../../parts/sentences.ts";
import { toPage } from "../../state/to-page.ts";

interface ChoicesProps {
  readonly alerts: readonly Alert[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (ids: readonly string[], isChosen: boolean) => void;
  readonly mayWrite: boolean;
  readonly onMute: (alert: Alert) => void;
}

/** Alerts to be acknowledged, one by one or together. */
export function Choices({ alerts, chosen, choose, mayWrite, onMute }: ChoicesProps) {
  if (alerts.length === 0) return null;
  const ids = alerts.map(({ id }) => id);
  return (
    <>
      {mayWrite && alerts.length > 1 ? (
        <label class="check">
          <input
            type="checkbox"
            checked={ids.every((id) => chosen.has(id))}
            onChange={(event) => choose(ids, event.currentTarget.checked)}
          />
          {t("alerts.choose_all")}
        </label>
      ) : null}
      <ul class="choices">
        {alerts.map((alert) => (
          <li key={alert.id}>
            {mayWrite ? (
              <input
                type="checkbox"
                aria-label={t("alerts.choose", { message: alertText(alert) })}
                checked={chosen.has(alert.id)}
                onChange={(event) => choose([alert.id], event.currentTarget.checked)}
              />
            ) : null}
            <AlertLine alert={alert} />
            <span class="alert-actions">
              {alert.asset_id === undefined ? null : (
                <Link class="small" href={toPage("/map", { asset: alert.asset_id })}>
                  {t("machines.on_map")}
                </Link>
              )}
              {mayWrite && isMutable(alert) ? (
                <button
                  type="button"
                  class="small"
                  aria-label={t("mutes.mute_of", { message: alertText(alert) })}
                  onClick={() => onMute(alert)}
                >
                  {t("mutes.mute")}
                </button>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A mute is of one machine and one rule; an outage is of a whole site. */
const isMutable = ({ asset_id, type }: Alert): boolean =>
  asset_id !== undefined && ALERT_TYPES.some((one) => one === type);
