import { Link } from "wouter-preact";
import { t } from "../../i18n/t.ts";
import { projects } from "../../state/project.ts";
import type { Stockpile } from "../../state/site-places.ts";
import { toPage } from "../../state/to-page.ts";
import { Basis } from "./basis.tsx";
import { pileName } from "./pile.ts";
import { PileBar } from "./pile-bar.tsx";
import { SORTS, type Sort } from "./sort.ts";
import { pileVolume, tonnesText } from "./words.ts";

interface PileTableProps {
  readonly piles: readonly Stockpile[];
  readonly sort: Sort;
  readonly isDescending: boolean;
  readonly onSort: (sort: Sort) => void;
}

export function PileTable({ piles, sort, isDescending, onSort }: PileTableProps) {
  const direction = isDescending ? "descending" : "ascending";
  return (
    <table class="table">
      <thead>
        <tr>
          {SORTS.map((one) => (
            <th key={one} scope="col" aria-sort={one === sort ? direction : "none"}>
              <button type="button" class="sort" onClick={() => onSort(one)}>
                {t(`piles.sort.${one}`)}
                <span aria-hidden="true">{one !== sort ? "" : isDescending ? " ▼" : " ▲"}</span>
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {piles.map((pile) => (
          <Row key={pile.id} pile={pile} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ pile }: { readonly pile: Stockpile }) {
  const project = projects.value.find(({ id }) => id === pile.project_id);
  return (
    <tr>
      <th scope="row">
        <Link href={toPage(`/stockpiles/${pile.id}`)}>{pileName(pile)}</Link>
        <span class="muted small block">
          {project?.name ?? pile.project_id} · {pile.id}
        </span>
      </th>
      <td class="pile-status" data-label={t("piles.sort.status")}>
        {pile.volume_basis === "none" ? t("value.unknown") : t(`pile.${pile.status}`)}
      </td>
      <td data-label={t("piles.sort.volume")}>{pileVolume(pile)}</td>
      <td data-label={t("piles.sort.tonnes")}>{tonnesText(pile.tonnes)}</td>
      <td data-label={t("piles.sort.fill")}>
        <PileBar pile={pile} />
      </td>
      <td data-label={t("piles.sort.age")}>
        <Basis pile={pile} />
      </td>
    </tr>
  );
}
