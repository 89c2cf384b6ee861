import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { serviceNow } from "../../api/service-clock.ts";
import { may } from "../../api/session-state.ts";
import { csvOf } from "../../format/csv.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { ExportNote } from "../../parts/export-note.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { PrintLogo } from "../../parts/print-logo.tsx";
import { saveCsv } from "../../parts/save-file.ts";
import { keepAllInAddress } from "../../state/address.ts";
import { projectId, projects } from "../../state/project.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { projectZones } from "../../state/zone.ts";
import { daysBetween, lastDays } from "../machine/use-figures.ts";
import { fleetCsvRows } from "./fleet-csv.ts";
import { HeatGrid } from "./heat-grid.tsx";
import { FIGURES, type FigureName, FULL_AT_LEAST, type Grouping, heatLines } from "./heat-table.ts";
import { readFleetUse } from "./read-fleet.ts";
import "./utilisation.css";
import { Select } from "../../parts/select.tsx";

const RANGES = [7, 14, 31] as const;
const GROUPINGS: readonly Grouping[] = ["asset", "type", "project"];
/** What an address without more shows. */
const USUAL = { figure: "working", days: RANGES[0], grouping: "asset" } as const;
/** Names of the figures among the words of the use of one machine. */
const NAMES = {
  working: "use.worked",
  idle: "use.idle",
  overtime: "use.overtime",
  engine_on: "use.engine",
  distance: "use.distance",
} as const satisfies Readonly<Record<FigureName, string>>;

/** Machines, types or projects by day: how long they worked, stood with the engine on, and how far they went. */
export function UtilisationPage() {
  const query = new URLSearchParams(location.search);
  const figure = useSignal<FigureName>(
    FIGURES.find((one) => one === query.get("figure")) ?? USUAL.figure,
  );
  const days = useSignal<number>(
    RANGES.find((one) => String(one) === query.get("days")) ?? USUAL.days,
  );
  const grouping = useSignal<Grouping>(
    GROUPINGS.find((one) => one === query.get("rows")) ?? USUAL.grouping,
  );
  const isWhole = useSignal(false);
  const projectIds = projects.value.map(({ id }) => id);
  const asksProjects = grouping.value === "project" ? projectIds.join() : "";
  const use = useAnswer(
    () =>
      readFleetUse({
        grouping: grouping.value,
        from: lastDays(days.value, serviceNow(), projectZones.value).from,
        projectId: projectId.value,
        projectIds,
      }),
    `${grouping.value} ${days.value} ${projectId.value ?? ""} ${asksProjects} ${projectZones.value}`,
  );
  useSignalEffect(() => {
    keepAllInAddress({
      figure: figure.value === USUAL.figure ? undefined : figure.value,
      days: days.value === USUAL.days ? undefined : String(days.value),
      rows: grouping.value === USUAL.grouping ? undefined : grouping.value,
    });
  });

  if (!may("equipment:read")) {
    return (
      <div class="page">
        <PageHead title={t("fleet.title")} />
        <Empty title={t("live.scope", { scope: "equipment:read" })} />
      </div>
    );
  }
  const { value } = use.data;
  const failure = use.failure.value;
  const nameOf = (id: string) => projects.value.find((one) => one.id === id)?.name ?? id;
  const lines =
    value === undefined ? [] : heatLines(value.rows, grouping.value, figure.value, nameOf);
  const format = figure.value === "distance" ? show.distance : show.hours;
  return (
    <div class="page page-wide">
      {projectId.value === undefined ? null : <PrintLogo projectId={projectId.value} />}
      <PageHead title={t("fleet.title")}>
        {value === undefined ? null : (
          <p class="muted">
            {t("fleet.range", { from: show.day(value.from), to: show.day(value.to) })}
            {grouping.value === "asset" ? ` · ${tn("fleet.machines", lines.length)}` : null}
            {projectId.value === undefined ? null : ` · ${nameOf(projectId.value)}`}
          </p>
        )}
      </PageHead>
      <div class="filters no-print">
        <label>
          {t("fleet.figure")}{" "}
          <Select
            value={figure.value}
            choices={FIGURES.map((one) => [one, t(NAMES[one])])}
            onChoose={(chosen) => {
              figure.value = chosen;
            }}
          />
        </label>
        <label>
          {t("fleet.rows")}{" "}
          <Select
            value={grouping.value}
            choices={GROUPINGS.map((one) => [one, t(`fleet.rows.${one}`)])}
            onChoose={(chosen) => {
              grouping.value = chosen;
            }}
          />
        </label>
        <label>
          {t("fleet.days")}{" "}
          <Select
            value={days.value}
            choices={RANGES.map((one) => [one, t("use.days_n", { n: one })])}
            onChoose={(chosen) => {
              days.value = chosen;
            }}
          />
        </label>
        {value === undefined || lines.length === 0 ? null : (
          <div class="buttons">
            <button
              type="button"
              onClick={() =>
                saveCsv(
                  `utilisation-${value.from}-${value.to}.csv`,
                  csvOf(fleetCsvRows(value.rows)),
                )
              }
            >
              {t("fleet.csv")}
            </button>
            <button type="button" onClick={() => void printWhole(isWhole)}>
              {t("fleet.print")}
            </button>
            <ExportNote />
          </div>
        )}
      </div>
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void use.read()} />
      )}
      {value === undefined && failure === undefined ? <Loading /> : null}
      {value !== undefined && lines.length === 0 ? (
        <Empty title={t("fleet.empty")}>{t("fleet.empty_hint")}</Empty>
      ) : null}
      {value === undefined || lines.length === 0 ? null : (
        <>
          <HeatGrid
            title={t("fleet.table", {
              figure: t(NAMES[figure.value]),
              rows: t(`fleet.rows.${grouping.value}`),
            })}
            grouping={grouping.value}
            lines={lines}
            days={daysBetween(value.from, value.to)}
            format={format}
            fullAtLeast={FULL_AT_LEAST[figure.value]}
            isComputed={figure.value === "idle"}
            isWhole={isWhole}
          />
          <p class="muted small">
            {t("zone.days", { zones: projectZones.value.join(", ") })}. {t("fleet.legend")}
          </p>
        </>
      )}
    </div>
  );
}

/** Prints once all lines are there: a browser that is asked to print does not wait for the page. */
async function printWhole(isWhole: Signal<boolean>): Promise<void> {
  isWhole.value = true;
  await new Promise(requestAnimationFrame);
  print();
}
