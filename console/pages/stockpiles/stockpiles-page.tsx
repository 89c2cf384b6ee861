import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../../api/session-state.ts";
import { t, tn } from "../../i18n/t.ts";
import { emptyDraft } from "../../map/drawing/draft.ts";
import { ExportNote } from "../../parts/export-note.tsx";
import { Field } from "../../parts/field.tsx";
import { GroundChoice } from "../../parts/ground-choice.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { saveCsv } from "../../parts/save-file.ts";
import { Select } from "../../parts/select.tsx";
import { keepAllInAddress, keepInAddress } from "../../state/address.ts";
import { areProjectsRead, projectId, projects } from "../../state/project.ts";
import { stockpiles } from "../../state/site-places.ts";
import { beginDrawing, type Drawing } from "../fences/drawing.ts";
import { NewPile } from "./new-pile.tsx";
import { pileName } from "./pile.ts";
import { PileCards } from "./pile-cards.tsx";
import { PileMap } from "./pile-map.tsx";
import { PileTable } from "./pile-table.tsx";
import { pilesCsv } from "./piles-csv.ts";
import {
  BASES,
  FILLS,
  findPiles,
  type PileFilter,
  pileFilterOf,
  pileParameters,
  SORTS,
  type Sort,
  sortPiles,
} from "./sort.ts";
import "./stockpiles.css";

const readShown = (): void => {
  const chosen = projectId.peek();
  void stockpiles.read(chosen === undefined ? projects.peek().map(({ id }) => id) : [chosen]);
};

/** Stockpiles of the chosen project or of all, as cards beside the map or as a table. */
export function StockpilesPage() {
  const selected = useSignal<string | undefined>(undefined);
  const drawing = useSignal<Drawing | undefined>(undefined);
  const filter = useSignal(pileFilterOf(location.search));
  const sort = useSignal<Sort>("name");
  const isDescending = useSignal(false);
  const isTable = useSignal(new URLSearchParams(location.search).get("view") === "table");
  const mayRead = may("materials:read");

  useSignalEffect(() => {
    void [projectId.value, projects.value];
    // Without a chosen project it is those of the list, which may not be there yet.
    const isKnown = projectId.value !== undefined || areProjectsRead.value;
    if (isKnown && may("materials:read")) readShown();
  });
  useEffect(() => keepInAddress("view", isTable.value ? "table" : undefined), [isTable.value]);
  const find = (part: Partial<PileFilter>) => {
    filter.value = { ...filter.peek(), ...part };
    keepAllInAddress(pileParameters(filter.peek()));
  };

  const found = useComputed(() =>
    sortPiles(findPiles(stockpiles.items.value, filter.value), sort.value, isDescending.value),
  );
  const places = useComputed(() =>
    found.value.map((pile) => ({ id: pile.id, name: pileName(pile), corners: pile.footprint })),
  );
  const view = useComputed(() =>
    stockpiles.items.value.flatMap(({ footprint }) =>
      (footprint ?? []).map(([lat = 0, lng = 0]) => [lng, lat] as const),
    ),
  );

  if (!mayRead) {
    return (
      <div class="page">
        <PageHead title={t("piles.title")} />
        <Empty title={t("live.scope", { scope: "materials:read" })} />
      </div>
    );
  }
  const state = stockpiles.state.value;
  const all = stockpiles.items.value;
  const sortBy = (chosen: Sort) => {
    isDescending.value = chosen === sort.peek() && !isDescending.peek();
    sort.value = chosen;
  };
  const tools = (
    <>
      <div class="tool-row no-print">
        {may("materials:write") && projects.value.length > 0 ? (
          <button
            type="button"
            class="main"
            onClick={() => {
              isTable.value = false;
              drawing.value = beginDrawing(emptyDraft("polygon"));
            }}
          >
            {t("piles.new")}
          </button>
        ) : null}
        <button
          type="button"
          aria-pressed={isTable.value}
          onClick={() => {
            isTable.value = !isTable.peek();
          }}
        >
          {t("piles.as_table")}
        </button>
        {found.value.length === 0 ? null : (
          <button type="button" onClick={() => saveCsv("stockpiles.csv", pilesCsv(found.peek()))}>
            {t("piles.csv")}
          </button>
        )}
      </div>
      {found.value.length === 0 ? null : <ExportNote />}
      <label>
        <span class="hidden">{t("piles.search")}</span>
        <input
          type="search"
          placeholder={t("piles.search")}
          value={filter.value.words}
          onInput={(event) => find({ words: event.currentTarget.value })}
        />
      </label>
      <div class="pile-choices">
        <Field name={t("piles.basis")}>
          {(control) => (
            <Select
              {...control}
              value={filter.value.basis}
              choices={BASES.map((one) => [one, t(`piles.basis.${one}`)])}
              onChoose={(basis) => find({ basis })}
            />
          )}
        </Field>
        <Field name={t("piles.sort.status")}>
          {(control) => (
            <Select
              {...control}
              value={filter.value.fill}
              choices={FILLS.map((one) => [
                one,
                one === "all" ? t("piles.basis.all") : t(`pile.${one}`),
              ])}
              onChoose={(fill) => find({ fill })}
            />
          )}
        </Field>
        {isTable.value ? null : (
          <Field name={t("piles.sort")}>
            {(control) => (
              <Select
                {...control}
                value={sort.value}
                choices={SORTS.map((one) => [one, t(`piles.sort.${one}`)])}
                onChoose={(chosen) => {
                  sort.value = chosen;
                  isDescending.value = false;
                }}
              />
            )}
          </Field>
        )}
      </div>
      {typeof state === "object" ? <FailureNotice failure={state} onRetry={readShown} /> : null}
      {state === "unread" ? <Loading /> : null}
      {state === "read" && all.length === 0 ? (
        <Empty title={t("piles.empty")}>{t("piles.empty_hint")}</Empty>
      ) : null}
      {all.length > 0 && found.value.length === 0 ? (
        <Empty title={t("piles.none_found")}>{t("piles.none_found_hint")}</Empty>
      ) : null}
      {found.value.length > 0 ? (
        <p class="muted small" role="status">
          {tn("piles.count", found.value.length)}
        </p>
      ) : null}
    </>
  );
  if (isTable.value) {
    return (
      <div class="page">
        <PageHead title={t("piles.title")} />
        {tools}
        {found.value.length === 0 ? null : (
          <PileTable
            piles={found.value}
            sort={sort.value}
            isDescending={isDescending.value}
            onSort={sortBy}
          />
        )}
      </div>
    );
  }
  return (
    <div class="map-page pile-page">
      <PileMap
        label={t("piles.map_label")}
        places={places}
        view={view}
        drawing={drawing}
        onPick={(id) => {
          if (drawing.peek() === undefined) selected.value = id;
        }}
      />
      <div class="map-side">
        <PageHead title={t("piles.title")} />
        <GroundChoice />
        {drawing.value === undefined ? (
          <>
            {tools}
            <PileCards
              piles={found.value}
              selected={selected.value}
              onSelect={(id) => {
                selected.value = id;
              }}
              onChange={readShown}
            />
          </>
        ) : (
          <NewPile
            drawing={drawing.value}
            onSaved={({ id }) => {
              drawing.value = undefined;
              selected.value = id;
              readShown();
            }}
            onCancel={() => {
              drawing.value = undefined;
            }}
          />
        )}
      </div>
    </div>
  );
}
