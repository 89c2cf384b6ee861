import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import { reveal } from "../../parts/reveal.ts";
import { projects } from "../../state/project.ts";
import type { Stockpile } from "../../state/site-places.ts";
import { toPage } from "../../state/to-page.ts";
import { Basis } from "./basis.tsx";
import { DeclareDialog } from "./declare-dialog.tsx";
import { pileName } from "./pile.ts";
import { PileBar } from "./pile-bar.tsx";
import { readPile, type TaggedPile } from "./requests.ts";
import { pileVolume, tonnesText } from "./words.ts";

interface PileCardsProps {
  readonly piles: readonly Stockpile[];
  /** The one that was pressed on the map. */
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  readonly onChange: () => void;
}

/** The list beside the map: what is in each stockpile and what that rests on. */
export function PileCards({ piles, selected, onSelect, onChange }: PileCardsProps) {
  const declaring = useSignal<TaggedPile | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);

  /** The newest state: what is changed is what the person sees in the form. */
  async function declare(id: string) {
    const outcome = await readPile(id);
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) declaring.value = outcome.value;
  }

  return (
    <>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      <ul class="pile-cards" aria-label={t("piles.list")}>
        {piles.map((pile) => (
          <PileCard
            key={pile.id}
            pile={pile}
            isSelected={pile.id === selected}
            onSelect={() => onSelect(pile.id)}
            onDeclare={() => void declare(pile.id)}
          />
        ))}
      </ul>
      {declaring.value === undefined ? null : (
        <DeclareDialog
          tagged={declaring.value}
          onClose={() => {
            declaring.value = undefined;
          }}
          onDone={() => {
            declaring.value = undefined;
            onChange();
          }}
        />
      )}
    </>
  );
}

interface PileCardProps {
  readonly pile: Stockpile;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
  readonly onDeclare: () => void;
}

function PileCard({ pile, isSelected, onSelect, onDeclare }: PileCardProps) {
  const row = useRef<HTMLLIElement>(null);
  const name = pileName(pile);
  const project = projects.value.find(({ id }) => id === pile.project_id);
  useEffect(() => {
    if (isSelected && row.current !== null) reveal(row.current, document.body);
  }, [isSelected]);
  return (
    <li
      ref={row}
      class={isSelected ? "card pile-card pile-chosen" : "card pile-card"}
      aria-current={isSelected ? "true" : undefined}
    >
      <h2>
        <Link href={toPage(`/stockpiles/${pile.id}`)} onFocus={onSelect}>
          {name}
        </Link>
      </h2>
      <p>
        <strong>{pileVolume(pile)}</strong>
        {pile.volume_basis === "none" ? null : <span>, {t(`pile.${pile.status}`)}</span>}
      </p>
      <p class="small">{tonnesText(pile.tonnes)}</p>
      <PileBar pile={pile} />
      <p class="small">
        <Basis pile={pile} />
      </p>
      {pile.footprint_status === "confirmed" ? null : (
        <p class="small">{t(`piles.footprint.${pile.footprint_status}`)}</p>
      )}
      <p class="muted small">
        {project?.name ?? pile.project_id} · {pile.id}
      </p>
      {may("materials:write") ? (
        <div class="tool-row no-print">
          <button type="button" aria-label={t("piles.declare_of", { name })} onClick={onDeclare}>
            {t("piles.declare")}
          </button>
        </div>
      ) : null}
    </li>
  );
}
