import { Link } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { AlertLine } from "../../parts/alert-line.tsx";
import { Fact } from "../../parts/facts.tsx";
import { MachineFacts } from "../../parts/machine-facts.tsx";
import { openAlerts } from "../../state/alerts.ts";
import type { Machine } from "../../state/machine.ts";
import { toPage } from "../../state/to-page.ts";
import { urgentFirst } from "../alerts/order.ts";

interface MachineCardProps {
  readonly machine: Machine;
  /** The filter does not mean it. */
  readonly isLeftOut: boolean;
  readonly isFollowing: boolean;
  readonly onFollow: () => void;
  readonly onClose: () => void;
}

/** What is known of the selected machine now, and what each figure rests on. */
export function MachineCard({
  machine,
  isLeftOut,
  isFollowing,
  onFollow,
  onClose,
}: MachineCardProps) {
  const { id, name, type } = machine;
  const alerts = urgentFirst([...openAlerts.value.values()].filter((one) => one.asset_id === id));
  return (
    <section class="card machine-card" aria-labelledby="machine-card">
      <header class="card-head">
        <h2 id="machine-card">{name}</h2>
        <button type="button" onClick={onClose} aria-label={t("map.close")}>
          ✕
        </button>
      </header>
      <p class="muted small">
        {type} · {id}
      </p>
      {isLeftOut ? <p class="notice small">{t("filter.hides")}</p> : null}
      <dl class="facts">
        <MachineFacts machine={machine} />
        <Fact name={t("map.open_alerts")}>
          {alerts.length === 0 ? t("map.none") : null}
          {alerts.slice(0, 3).map((alert) => (
            <AlertLine key={alert.id} alert={alert} />
          ))}
        </Fact>
      </dl>
      <div class="card-actions">
        <button type="button" aria-pressed={isFollowing} onClick={onFollow}>
          {t(isFollowing ? "map.following" : "map.follow")}
        </button>
        <Link href={toPage(`/machines/${id}/track`)}>{t("track.link")}</Link>
        {may("equipment:write") ? (
          <Link href={toPage("/fences", { near: id })}>{t("fences.draw_here")}</Link>
        ) : null}
        <Link href={toPage(`/machines/${id}`)}>{t("map.to_machine")}</Link>
      </div>
    </section>
  );
}
