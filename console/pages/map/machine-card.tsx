import { useLayoutEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { MachineFacts } from "../../parts/machine-facts.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import type { Machine } from "../../state/machine.ts";
import { toPage } from "../../state/to-page.ts";
import { CardAlerts, CardFacts, LateFact, useCardAnswer } from "./card-details.tsx";

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
  const { answer, failure } = useCardAnswer(id);
  const head = useRef<HTMLElement>(null);

  // Who chose it in the list of a phone is far below the card; where its head is in sight nothing moves.
  useLayoutEffect(() => head.current?.scrollIntoView({ block: "nearest" }), [id]);

  return (
    <section class="card machine-card" aria-labelledby="machine-card">
      <header ref={head} class="card-head">
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
        <LateFact fixMs={machine.fixMs} answer={answer} />
        <MachineFacts machine={machine} />
        <CardFacts answer={answer} />
      </dl>
      {failure === undefined ? null : <FailureNotice failure={failure} />}
      <CardAlerts assetId={id} />
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
