import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Link, useLocation, useParams } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { fileAddress } from "../../parts/file-address.ts";
import { GroundChoice } from "../../parts/ground-choice.tsx";
import { lazily } from "../../parts/lazily.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { Bulkhead, PageHead } from "../../parts/page.tsx";
import { PrintLogo } from "../../parts/print-logo.tsx";
import { readBaseMap } from "../../state/base-map.ts";
import { chooseProject, projectId, projects } from "../../state/project.ts";
import { workZones } from "../../state/site-places.ts";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { ChangesTable } from "./changes-table.tsx";
import { CorrectForm } from "./correct-form.tsx";
import { Headline } from "./headline.tsx";
import { LabelRequests } from "./label-requests.tsx";
import { ObservationsPart } from "./observations-part.tsx";
import { ReportList, Warnings } from "./report-list.tsx";
import { type Report, readChanges, readCurve, readLabelRequests, readReport } from "./requests.ts";
import { SCurve } from "./s-curve.tsx";
import { textsOf, zoneTexts } from "./shown-zones.ts";
import { ZoneTable } from "./zone-table.tsx";
import "./progress.css";

/** How often the curve is read again, ms: a capture takes minutes, and whoever waits for its report sees it soon. */
const EVERY_MS = 20_000;

/** A map is larger than all of this page: it is loaded by who wants it. */
const LazyZoneMap = lazily(async () => (await import("./zone-map.tsx")).ZoneMap, readBaseMap);

/** How far a project is against its plan, `/progress/:project`. */
export function ProgressPage() {
  const { project = "" } = useParams<{ readonly project: string }>();
  const [, go] = useLocation();
  const mayRead = may("progress:read");
  const curve = useAnswer(() => readCurve(project), project, EVERY_MS);
  const newestId = curve.data.value?.actual.at(-1)?.report_id;

  // Times are those of the project, and the choice of another one leads to its page.
  useEffect(() => {
    chooseProject(project);
    void workZones.read([project]);
    return projectId.subscribe((chosen) => {
      if (chosen !== project)
        go(toPage(chosen === undefined ? "/progress" : `/progress/${chosen}`));
    });
  }, [project]);

  const name = projects.value.find(({ id }) => id === project)?.name ?? project;
  const value = curve.data.value;
  const failure = curve.failure.value;
  if (!mayRead) {
    return (
      <div class="page">
        <PageHead title={name} />
        <Empty title={t("live.scope", { scope: "progress:read" })} />
      </div>
    );
  }
  return (
    <div class="page progress-page">
      <PrintLogo projectId={project} />
      <PageHead title={name}>
        <p class="muted">{t("progress.title")}</p>
        <p class="page-links no-print">
          <Link href={toPage("/progress")}>{t("progress.all_projects")}</Link>
          <Link href={toPage(`/progress/${project}/setup`)}>{t("setup.title")}</Link>
          <button type="button" onClick={() => print()}>
            {t("fleet.print")}
          </button>
        </p>
      </PageHead>
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void curve.read()} />
      )}
      {value === undefined ? (
        failure === undefined ? (
          <Loading />
        ) : null
      ) : (
        <>
          {newestId === undefined ? (
            <Empty title={t("overview.no_reports")}>{t("progress.no_reports_hint")}</Empty>
          ) : null}
          {newestId === undefined ? null : <NewestHeadline id={newestId} />}
          <Part title={t("progress.curve")}>
            <SCurve curve={value} />
          </Part>
          {newestId === undefined ? null : (
            <NewestParts id={newestId} onCorrected={() => void curve.read()} />
          )}
          <Labels project={project} onLabelled={() => void curve.read()} />
          <Part title={t("observe.title")} isScreenOnly>
            <ObservationsPart project={project} />
          </Part>
          {value.actual.length === 0 ? null : (
            <Part title={t("progress.reports")}>
              <ReportList reports={value.actual} />
            </Part>
          )}
        </>
      )}
    </div>
  );
}

interface PartProps {
  readonly title: string;
  /** It is a form, which paper has no use for. */
  readonly isScreenOnly?: boolean;
  readonly children: ComponentChildren;
}

/** A part of the page: what fails in it leaves the others standing. */
function Part(props: PartProps) {
  return (
    <section
      class={`card progress-part${props.isScreenOnly === true ? " no-print" : ""}`}
      aria-label={props.title}
    >
      <h2>{props.title}</h2>
      <Bulkhead>{props.children}</Bulkhead>
    </section>
  );
}

function NewestHeadline({ id }: { readonly id: string }) {
  const report = useAnswer(() => readReport(id), id);
  if (report.failure.value !== undefined) {
    return <FailureNotice failure={report.failure.value} onRetry={() => void report.read()} />;
  }
  return report.data.value === undefined ? <Loading /> : <Headline report={report.data.value} />;
}

interface NewestPartsProps {
  readonly id: string;
  readonly onCorrected: () => void;
}

/** What the newest report says of the zones. */
function NewestParts({ id, onCorrected }: NewestPartsProps) {
  const report = useAnswer(() => readReport(id), id);
  const changes = useAnswer(() => readChanges(id), id);
  const { value } = report.data;

  useEffect(() => {
    zoneTexts.value = textsOf(value?.zones ?? []);
  }, [value]);

  return (
    <>
      {value === undefined ? null : (
        <>
          <Part title={t("progress.warnings")}>
            {value.warnings.length === 0 ? (
              <p class="muted">{t("progress.no_warnings")}</p>
            ) : (
              <Warnings of={value.warnings} />
            )}
          </Part>
          <Part title={t("progress.zones")}>
            <ZoneTable report={value} />
            <MapOfZones report={value} />
            {may("progress:write") ? (
              <CorrectForm key={id} report={value} onCorrected={onCorrected} />
            ) : null}
          </Part>
        </>
      )}
      <Part title={t("progress.changed")}>
        {changes.failure.value === undefined ? null : (
          <FailureNotice failure={changes.failure.value} onRetry={() => void changes.read()} />
        )}
        {changes.data.value === undefined ? (
          changes.failure.value === undefined ? (
            <Loading />
          ) : null
        ) : (
          <ChangesTable changes={changes.data.value} />
        )}
      </Part>
    </>
  );
}

/** What the map of a report is drawn over: a flight of which heights were given has no orthophoto. */
const mapKind = ({ images }: Report) =>
  images.kind === "survey" && images.orthomosaic_url === images.map_url ? "surface" : images.kind;

/** The zones on a map, and the map that the report itself has. */
function MapOfZones({ report }: { readonly report: Report }) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="start no-print"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.peek();
        }}
      >
        {t(isOpen.value ? "progress.map_hide" : "progress.map_show")}
      </button>
      {isOpen.value ? (
        <>
          <GroundChoice />
          <div class="zone-map no-print">
            <LazyZoneMap />
          </div>
        </>
      ) : null}
      <figure class="report-map">
        <img
          src={fileAddress(report.images.map_url)}
          alt={t("progress.report_map")}
          loading="lazy"
        />
        <figcaption class="muted small">
          {t(`progress.map_kind.${mapKind(report)}`, {
            date: show.dateTime(Date.parse(report.images.as_of)),
          })}
        </figcaption>
      </figure>
    </>
  );
}

interface LabelsProps {
  readonly project: string;
  readonly onLabelled: () => void;
}

function Labels({ project, onLabelled }: LabelsProps) {
  const requests = useAnswer(() => readLabelRequests(project), project);
  const { value } = requests.data;
  return (
    <section class="card no-print" aria-label={t("labels.title")}>
      <h2>{t("labels.title")}</h2>
      <Bulkhead>
        {requests.failure.value === undefined ? null : (
          <FailureNotice failure={requests.failure.value} onRetry={() => void requests.read()} />
        )}
        {value === undefined ? (
          requests.failure.value === undefined ? (
            <Loading />
          ) : null
        ) : (
          <LabelRequests
            requests={value.data}
            onLabelled={async () => {
              await requests.read();
              onLabelled();
            }}
          />
        )}
      </Bulkhead>
    </section>
  );
}
