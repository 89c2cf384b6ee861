import { t } from "../../i18n/t.ts";
import { Age } from "../../parts/time.tsx";
import type { Stockpile } from "../../state/site-places.ts";

interface BasisProps {
  readonly pile: Stockpile;
  /** Whether a press on the age shows date and UTC. */
  readonly isPressable?: boolean;
}

/** What a volume rests on and how old it is, in words. */
export function Basis({ pile, isPressable = false }: BasisProps) {
  if (pile.volume_basis === "none") return <span class="muted">{t("piles.basis.none")}</span>;
  return (
    <>
      {t(`piles.basis.${pile.volume_basis}`)},{" "}
      <Age ms={Date.parse(pile.last_measured)} isPressable={isPressable} />
      {pile.is_outdated ? <span class="block small">{t("piles.basis.outdated")}</span> : null}
    </>
  );
}
