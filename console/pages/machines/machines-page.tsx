import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { csvOf } from "../../format/csv.ts";
import { t, tn } from "../../i18n/t.ts";
import { ExportNote } from "../../parts/export-note.tsx";
import {
  ConnectionFact,
  PositionBasis,
  PositionTime,
  speedText,
  WorkToday,
} from "../../parts/facts.tsx";
import { FleetFilters } from "../../parts/fleet-filters.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { saveCsv } from "../../parts/save-file.ts";
import { StatusBadge } from "../../parts/status-badge.tsx";
import { filterOf, passes } from "../../state/fleet-filter.ts";
import type { Machine } from "../../state/machine.ts";
import { machines, machinesFailure } from "../../state/machines.ts";
import { toPage } from "../../state/to-page.ts";
import { hiddenColumns, OPTIONAL_COLUMNS, showColumn } from "./columns.ts";
import { machinesCsvRows } from "./machines-csv.ts";
import { COLUMNS, type Column, sortMachines } from "./sort.ts";

/** Rows at first, and how many more a button adds: a thousand rows that change each second are slow on a phone. */
const ROWS = 200;

export function MachinesPage() {
  const filter = useSignal(filterOf(location.search));
  const sort = useSignal<{ readonly column: Column; readonly isDescending: boolean }>({
    column: "name",
    isDescending: false,
  });
  const rows = useSignal(ROWS);
  if (!may("equipment:read")) {
    return (
      <div class="page">
        <PageHead title={t("machines.title")} />
        <Empty title={t("live.scope", { scope: "equipment:read" })} />
      </div>
    );
  }
  const all = machines.value;
  const found = all?.filter((machine) => passes(machine, filter.value));
  const sorted = sortMachines(found ?? [], sort.value.column, sort.value.isDescending);
  const rest = sorted.length - rows.value;
  const columns = COLUMNS.filter((column) => !hiddenColumns.value.has(column));

  function sortBy(column: Column) {
    const { column: current, isDescending } = sort.peek();
    sort.value = { column, isDescending: column === current && !isDescending };
  }

  return (
    <div class="page">
      <PageHead title={t("machines.title")}>
        {found === undefined ? null : <p class="muted">{tn("machines.count", found.length)}</p>}
        <p class="head-link">
          <Link href={toPage("/utilisation")}>{t("nav.utilisation")}</Link>
          {may("equipment:write") ? (
            <Link href={toPage("/register")}>{t("register.link")}</Link>
          ) : null}
        </p>
      </PageHead>
      <FleetFilters filter={filter} machines={machines} search={t("machines.filter")} />
      <div class="filters">
        <ColumnChoice />
        {sorted.length === 0 ? null : (
          <>
            <button
              type="button"
              onClick={() => saveCsv("machines.csv", csvOf(machinesCsvRows(sorted)))}
            >
              {t("columns.csv")}
            </button>
            <ExportNote />
          </>
        )}
      </div>
      {machinesFailure.value === undefined ? null : (
        <FailureNotice failure={machinesFailure.value} />
      )}
      {all === undefined && machinesFailure.value === undefined ? <Loading /> : null}
      {all?.length === 0 ? (
        <Empty title={t("machines.empty")}>{t("machines.empty_hint")}</Empty>
      ) : null}
      {all !== undefined && all.length > 0 && sorted.length === 0 ? (
        <Empty title={t("machines.no_match")}>{t("machines.no_match_hint")}</Empty>
      ) : null}
      {sorted.length === 0 ? null : (
        <table class="table">
          <thead>
            <tr>
              {columns.map((column) => (
                <ColumnHead key={column} column={column} sort={sort.value} onSort={sortBy} />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, rows.value).map((machine) => (
              <Row key={machine.id} machine={machine} columns={columns} />
            ))}
          </tbody>
        </table>
      )}
      {rest > 0 ? (
        <button
          type="button"
          onClick={() => {
            rows.value += ROWS;
          }}
        >
          {t("machines.more", { n: Math.min(rest, ROWS) })}
        </button>
      ) : null}
    </div>
  );
}

interface ColumnHeadProps {
  readonly column: Column;
  readonly sort: { readonly column: Column; readonly isDescending: boolean };
  readonly onSort: (column: Column) => void;
}

function ColumnHead({ column, sort, onSort }: ColumnHeadProps) {
  const isSorted = sort.column === column;
  const direction = sort.isDescending ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={isSorted ? direction : "none"}>
      <button type="button" class="sort" onClick={() => onSort(column)}>
        {t(`machines.${column}`)}
        <span aria-hidden="true">{isSorted ? (sort.isDescending ? " ▼" : " ▲") : ""}</span>
      </button>
    </th>
  );
}

interface RowProps {
  readonly machine: Machine;
  readonly columns: readonly Column[];
}

function Row({ machine, columns }: RowProps) {
  const { id, name } = machine;
  return (
    <tr>
      <th scope="row">
        <Link href={toPage(`/machines/${id}`)}>{name}</Link>
        <span class="muted small block">{id}</span>
        <Link
          class="small"
          href={toPage(`/machines/${id}/track`)}
          aria-label={t("track.link_of", { name })}
        >
          {t("track.link")}
        </Link>
      </th>
      {columns.map((column) =>
        column === "name" ? null : (
          <td key={column} data-label={t(`machines.${column}`)}>
            <Cell machine={machine} column={column} />
          </td>
        ),
      )}
    </tr>
  );
}

interface CellProps {
  readonly machine: Machine;
  readonly column: Exclude<Column, "name">;
}

function Cell({ machine, column }: CellProps) {
  const { type, asset } = machine;
  switch (column) {
    case "type":
      return <>{type}</>;
    case "status":
      return <StatusBadge machine={{ ...machine, connection: "ok" }} />;
    case "connection":
      return <ConnectionFact machine={machine} />;
    case "seen":
      return (
        <>
          <PositionTime machine={machine} />
          <span class="muted small block">
            <PositionBasis machine={machine} />
          </span>
        </>
      );
    case "speed":
      return <>{speedText(machine)}</>;
    case "work":
      return <WorkToday machine={machine} />;
    case "zone":
      return (
        <span class={asset.zone === "" ? "muted" : undefined}>
          {asset.zone === "" ? t("map.no_zone") : asset.zone}
        </span>
      );
  }
}

/** Which columns the table has. */
function ColumnChoice() {
  return (
    <details class="choice">
      <summary>{t("columns.choose")}</summary>
      <div class="choice-list">
        {OPTIONAL_COLUMNS.map((column) => (
          <label key={column} class="check">
            <input
              type="checkbox"
              checked={!hiddenColumns.value.has(column)}
              onChange={(event) => showColumn(column, event.currentTarget.checked)}
            />
            {t(`machines.${column}`)}
          </label>
        ))}
      </div>
    </details>
  );
}
