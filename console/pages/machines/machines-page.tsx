import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { t, tn } from "../../i18n/t.ts";
import {
  ConnectionFact,
  PositionBasis,
  PositionTime,
  speedText,
  WorkToday,
} from "../../parts/facts.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { StatusBadge } from "../../parts/status-badge.tsx";
import type { Machine } from "../../state/machine.ts";
import { machines, machinesFailure } from "../../state/machines.ts";
import { toPage } from "../../state/to-page.ts";
import { COLUMNS, type Column, matches, sortMachines } from "./sort.ts";

/** Rows at first, and how many more a button adds: a thousand rows that change each second are slow on a phone. */
const ROWS = 200;
const STATUSES = ["active", "idle", "maintenance"] as const;

export function MachinesPage() {
  const search = useSignal("");
  const status = useSignal<Machine["status"] | undefined>(undefined);
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
  const found = all?.filter(
    (machine) =>
      (status.value === undefined || machine.status === status.value) &&
      matches(machine, search.value),
  );
  const sorted = sortMachines(found ?? [], sort.value.column, sort.value.isDescending);
  const rest = sorted.length - rows.value;

  function sortBy(column: Column) {
    const { column: current, isDescending } = sort.peek();
    sort.value = { column, isDescending: column === current && !isDescending };
  }

  return (
    <div class="page">
      <PageHead title={t("machines.title")}>
        {found === undefined ? null : <p class="muted">{tn("machines.count", found.length)}</p>}
      </PageHead>
      <div class="filters">
        <label>
          <span class="hidden">{t("machines.filter")}</span>
          <input
            type="search"
            placeholder={t("machines.filter")}
            onInput={(event) => {
              search.value = event.currentTarget.value.trim();
            }}
          />
        </label>
        <label>
          {t("machines.status")}{" "}
          <select
            onChange={(event) => {
              status.value = STATUSES.find((one) => one === event.currentTarget.value);
            }}
          >
            <option value="">{t("machines.all")}</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {t(`status.${one}`)}
              </option>
            ))}
          </select>
        </label>
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
              {COLUMNS.map((column) => (
                <ColumnHead key={column} column={column} sort={sort.value} onSort={sortBy} />
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, rows.value).map((machine) => (
              <Row key={machine.id} machine={machine} />
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

function Row({ machine }: { readonly machine: Machine }) {
  const { id, name, type, asset } = machine;
  return (
    <tr>
      <th scope="row">
        <Link href={toPage("/map", { asset: id })}>{name}</Link>
        <span class="muted small block">{id}</span>
        <Link
          class="small"
          href={toPage(`/machines/${id}/track`)}
          aria-label={t("track.link_of", { name })}
        >
          {t("track.link")}
        </Link>
      </th>
      <td data-label={t("machines.type")}>{type}</td>
      <td data-label={t("machines.status")}>
        <StatusBadge machine={{ ...machine, connection: "ok" }} />
      </td>
      <td data-label={t("machines.connection")}>
        <ConnectionFact machine={machine} />
      </td>
      <td data-label={t("machines.seen")}>
        <PositionTime machine={machine} />
        <span class="muted small block">
          <PositionBasis machine={machine} />
        </span>
      </td>
      <td data-label={t("machines.speed")}>{speedText(machine)}</td>
      <td data-label={t("machines.work")}>
        <WorkToday machine={machine} />
      </td>
      <td data-label={t("machines.zone")}>
        {asset.zone === "" ? <span class="muted">{t("map.no_zone")}</span> : asset.zone}
      </td>
    </tr>
  );
}
