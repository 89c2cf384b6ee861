import { t } from "../i18n/t.ts";
import { shownZone } from "../state/zone.ts";

/** Says in words which zone the times of the page are in, and why. */
export function ZoneLine() {
  const shown = shownZone.value;
  const places = { zone: shown.name, wanted: shown.wanted };
  return <p class="zone-line muted small">{t(`zone.${shown.basis}`, places)}</p>;
}
