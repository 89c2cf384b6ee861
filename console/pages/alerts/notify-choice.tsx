import { t } from "../../i18n/t.ts";
import { chooseNotifications, notifications } from "../../state/notifications.ts";

/** Turns notifications of the browser on; it asks the person when the button is pressed, and never by itself. */
export function NotifyChoice() {
  const state = notifications.value;
  if (state === "absent") return null;
  if (state === "denied") return <p class="muted small">{t("notify.denied")}</p>;
  const isOn = state === "on";
  return (
    <button
      type="button"
      aria-pressed={isOn}
      title={t("notify.hint")}
      onClick={() => void chooseNotifications(!isOn)}
    >
      {t(isOn ? "notify.on" : "notify.off")}
    </button>
  );
}
