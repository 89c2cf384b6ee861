import { useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import type { Failure } from "../../api/failure.ts";
import { outcomeOf } from "../../api/outcome.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { AlertLine, Severity } from "../../parts/alert-line.tsx";
import { FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { LookIcon } from "../../parts/status-badge.tsx";
import { When } from "../../parts/time.tsx";
import { alertChanges } from "../../state/alerts.ts";
import { projectId, projects } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { ServiceCard } from "./service-card.tsx";

type Overview = components["schemas"]["Overview"];

/** How often the counts are read again, ms; an alert that changes does it at once, but not more often than below. */
const EVERY_MS = 30_000;
const CHANGED_MS = 1_000;

export function OverviewPage() {
  const overview = useSignal<Overview | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);

  async function read(project: string | undefined) {
    const query = project === undefined ? {} : { project_id: project };
    const outcome = await outcomeOf(api.GET("/api/v1/overview", { params: { query } }));
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) overview.value = outcome.value;
  }

  useSignalEffect(() => {
    const project = projectId.value;
    void read(project);
    const timer = setInterval(() => void read(project), EVERY_MS);
    return () => clearInterval(timer);
  });
  useSignalEffect(() => {
    if (alertChanges.value === 0) return undefined;
    const timer = setTimeout(() => void read(projectId.peek()), CHANGED_MS);
    return () => clearTimeout(timer);
  });

  const { value } = overview;
  return (
    <div class="page">
      <PageHead title={t("overview.title")}>
        {value === undefined ? null : (
          <p class="muted">
            {t("overview.as_of", { time: show.dateTime(Date.parse(value.as_of)) })}
          </p>
        )}
      </PageHead>
      {failure.value === undefined ? null : (
        <FailureNotice failure={failure.value} onRetry={() => void read(projectId.peek())} />
      )}
      <ServiceCard />
      {value === undefined ? (
        failure.value === undefined ? (
          <Loading />
        ) : null
      ) : (
        <Cards {...value} />
      )}
    </div>
  );
}

function Cards({ equipment, materials, progress, as_of, projects: count }: Overview) {
  const time = show.clock(Date.parse(as_of));
  return (
    <div class="cards">
      <Card
        title={t("overview.machines")}
        href={toPage("/machines")}
        lacks={equipment === null && "equipment:read"}
      >
        {equipment === null ? null : <MachineCounts {...equipment} time={time} />}
      </Card>
      <Card
        title={t("overview.alerts")}
        href={toPage("/alerts")}
        lacks={equipment === null && "equipment:read"}
      >
        {equipment === null ? null : <AlertCounts {...equipment} time={time} />}
      </Card>
      <Card
        title={t("overview.piles")}
        href={toPage("/stockpiles")}
        lacks={materials === null && "materials:read"}
      >
        {materials === null ? null : <PileCounts {...materials} time={time} />}
      </Card>
      <Card
        title={t("overview.progress")}
        href={toPage("/progress")}
        lacks={progress === null && "progress:read"}
      >
        {progress === null ? null : <Reports {...progress} count={count} />}
      </Card>
    </div>
  );
}

interface CardProps {
  readonly title: string;
  readonly href?: string;
  /** The scope without which there is nothing to show, or `false`. */
  readonly lacks: string | false;
  readonly children: ComponentChildren;
}

function Card({ title, href, lacks, children }: CardProps) {
  return (
    <section class="card">
      <h2>{href === undefined ? title : <Link href={href}>{title}</Link>}</h2>
      {lacks === false ? children : <p class="muted">{t("overview.no_scope", { scope: lacks })}</p>}
    </section>
  );
}

interface FigureProps {
  readonly n: number;
  /** The list of what is counted. */
  readonly href: string;
  readonly children: ComponentChildren;
}

/** A count that leads to what it counts; of nothing there is no list. */
function Figure({ n, href, children }: FigureProps) {
  const text = (
    <>
      <span class="figure-number">{show.number(n)}</span> <span>{children}</span>
    </>
  );
  return (
    <li class={n === 0 ? "figure figure-zero" : "figure"}>
      {n === 0 ? (
        text
      ) : (
        <Link class="figure-link" href={href}>
          {text}
        </Link>
      )}
    </li>
  );
}

/** What the figures of a card rest on, beside them. */
function Basis({ children }: { readonly children: ComponentChildren }) {
  return <p class="muted small">{children}</p>;
}

/** A part of the overview, and when it was read. */
type At<T> = NonNullable<T> & { readonly time: string };

function MachineCounts({ assets, status, connection, time }: At<Overview["equipment"]>) {
  const looks = { active: "active-still", idle: "idle", maintenance: "maintenance" } as const;
  return (
    <>
      <p class="total">{tn("machines.count", assets)}</p>
      <h3>{t("overview.by_status")}</h3>
      <ul class="figures">
        {(["active", "idle", "maintenance"] as const).map((one) => (
          <Figure key={one} n={status[one]} href={toPage("/machines", { status: one })}>
            <LookIcon look={looks[one]} /> {t(`status.${one}`)}
          </Figure>
        ))}
      </ul>
      <h3>{t("overview.by_connection")}</h3>
      <ul class="figures">
        {(["ok", "silent", "offline", "gps_stuck", "unknown"] as const).map((one) => (
          <Figure key={one} n={connection[one]} href={toPage("/machines", { connection: one })}>
            {t(`connection.${one}`)}
          </Figure>
        ))}
      </ul>
      <Basis>
        {t("overview.basis.assets", {
          n: show.number(assets),
          time,
          silent: show.number(connection.unknown),
          old: show.number(connection.silent + connection.offline + connection.gps_stuck),
        })}
      </Basis>
    </>
  );
}

function AlertCounts({ open_alerts, newest_alerts, assets, time }: At<Overview["equipment"]>) {
  return (
    <>
      <ul class="figures">
        {(["critical", "warning", "info"] as const).map((one) => (
          <Figure key={one} n={open_alerts[one]} href={toPage("/alerts", { severity: one })}>
            <Severity severity={one} />
          </Figure>
        ))}
      </ul>
      <Basis>{t("overview.basis.alerts", { n: show.number(assets), time })}</Basis>
      {newest_alerts.length === 0 ? null : <h3>{t("overview.newest")}</h3>}
      {newest_alerts.map((alert) => (
        <AlertLine key={alert.id} alert={alert} />
      ))}
    </>
  );
}

function PileCounts({ stockpiles, status, unknown, time }: At<Overview["materials"]>) {
  return (
    <>
      <ul class="figures">
        {(["full", "adequate", "low", "empty"] as const).map((one) => (
          <Figure key={one} n={status[one]} href={toPage("/stockpiles", { status: one })}>
            {t(`pile.${one}`)}
          </Figure>
        ))}
        <Figure n={unknown} href={toPage("/stockpiles", { basis: "none" })}>
          {t("overview.no_volume")}
        </Figure>
      </ul>
      <Basis>
        {t("overview.basis.piles", {
          n: show.number(stockpiles),
          time,
          unknown: show.number(unknown),
        })}
      </Basis>
    </>
  );
}

interface ReportsProps extends NonNullable<Overview["progress"]> {
  /** Projects that the key may see, or 1. */
  readonly count: number;
}

function Reports({ captures_processing, reports, reports_complete, count }: ReportsProps) {
  const nameOf = (id: string) => projects.value.find((project) => project.id === id)?.name ?? id;
  return (
    <>
      <p>
        <Link href={toPage("/jobs")}>{tn("overview.processing", captures_processing)}</Link>
      </p>
      {reports.length === 0 ? <p class="muted">{t("overview.no_reports")}</p> : null}
      <Basis>
        {reports_complete
          ? t("overview.basis.reports", {
              without: show.number(count - reports.length),
              n: show.number(count),
            })
          : t("overview.basis.reports_some", { n: show.number(count) })}
      </Basis>
      {reports.map(({ id, project_id, capture_date, comparison }) => (
        <div key={id} class="alert-line">
          <p>
            <Link href={toPage(`/progress/${project_id}`)}>{nameOf(project_id)}</Link>{" "}
            {t("overview.report", {
              actual:
                comparison.seen_percent === 0
                  ? t("value.unknown")
                  : show.percent(comparison.actual),
              planned: show.percent(comparison.planned),
              seen: show.percent(comparison.seen_percent),
            })}
          </p>
          <p class="muted small">
            <When ms={Date.parse(capture_date)} isPressable /> ·{" "}
            {t(`overview.basis.${comparison.basis}`)}
          </p>
        </div>
      ))}
    </>
  );
}
