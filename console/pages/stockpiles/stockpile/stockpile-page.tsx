import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Link, useParams } from "wouter-preact";
import type { Failure } from "../../../api/failure.ts";
import { may } from "../../../api/session-state.ts";
import { t } from "../../../i18n/t.ts";
import { Empty, FailureNotice, Loading } from "../../../parts/notices.tsx";
import { Bulkhead, PageHead } from "../../../parts/page.tsx";
import { PrintLogo } from "../../../parts/print-logo.tsx";
import { projects } from "../../../state/project.ts";
import { toPage } from "../../../state/to-page.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { DeclareDialog } from "../declare-dialog.tsx";
import { pileName } from "../pile.ts";
import { readPile, type TaggedPile } from "../requests.ts";
import { AboutPanel } from "./facts/about-panel.tsx";
import { DoubtsPanel, FigurePanel } from "./figure-panel.tsx";
import { FilesPanel } from "./files-panel.tsx";
import { HistoryChart } from "./history-chart.tsx";
import { LoadsPanel } from "./loads-panel.tsx";
import { type Measurement, readHistory, readMeasurement } from "./requests.ts";
import { SurveyPanel } from "./survey-panel.tsx";
import "../stockpiles.css";

/** Everything about one stockpile, `/stockpiles/:id`. Each panel reads for itself: one that fails leaves the others. */
export function StockpilePage() {
  const { id = "" } = useParams<{ readonly id: string }>();
  const pile = useAnswer(() => readPile(id), id);
  const tagged = pile.data.value;
  if (!may("materials:read")) {
    return (
      <div class="page">
        <PageHead title={id} />
        <Empty title={t("live.scope", { scope: "materials:read" })} />
      </div>
    );
  }
  return (
    <div class="page">
      {tagged === undefined ? null : <PrintLogo projectId={tagged.pile.project_id} />}
      <PageHead title={tagged === undefined ? id : pileName(tagged.pile)}>
        {tagged === undefined ? null : (
          <p class="muted">
            {t("pile.project")}: {projectName(tagged)} · {id}
          </p>
        )}
        <p class="head-link no-print">
          <Link href={toPage("/stockpiles")}>{t("pile.back")}</Link>
        </p>
      </PageHead>
      {pile.failure.value === undefined ? null : (
        <FailureNotice failure={pile.failure.value} onRetry={() => void pile.read()} />
      )}
      {tagged === undefined && pile.failure.value === undefined ? <Loading /> : null}
      {tagged === undefined ? null : (
        <Panels key={id} tagged={tagged} onChange={() => void pile.read()} />
      )}
    </div>
  );
}

const projectName = ({ pile }: TaggedPile): string =>
  projects.value.find(({ id }) => id === pile.project_id)?.name ?? pile.project_id;

interface PanelsProps {
  readonly tagged: TaggedPile;
  readonly onChange: () => void;
}

function Panels({ tagged, onChange: readPileAgain }: PanelsProps) {
  const { pile } = tagged;
  const isDeclaring = useSignal(false);
  const history = useAnswer(() => readHistory(pile.id), pile.id);
  const measurements = history.data.value?.measurements;
  const newestId = measurements?.[0]?.measurement_id;
  const currentId = pile.measurement_id ?? newestId;
  const files = useAnswer<Measurement | undefined>(
    async () =>
      currentId === undefined ? { value: undefined } : await readMeasurement(pile.id, currentId),
    currentId ?? "",
  );
  const onChange = () => {
    readPileAgain();
    void history.read();
  };
  const current = measurements?.find(({ measurement_id }) => measurement_id === currentId);

  return (
    <>
      <div class="tool-row no-print">
        {may("materials:write") ? (
          <button
            type="button"
            onClick={() => {
              isDeclaring.value = true;
            }}
          >
            {t("piles.declare")}
          </button>
        ) : null}
        <button type="button" onClick={() => print()}>
          {t("pile.print")}
        </button>
      </div>
      <div class="pile-panels">
        <Panel title={t("pile.figure")}>
          <FigurePanel
            pile={pile}
            measurement={pile.volume_basis === "measured" ? current : undefined}
          />
        </Panel>
        {current === undefined ? null : (
          <Panel title={t("pile.doubts")}>
            <DoubtsPanel measurement={current} />
          </Panel>
        )}
        <Panel
          title={t("pile.history")}
          isWide
          failure={history.failure.value}
          onRetry={() => void history.read()}
        >
          {history.data.value === undefined ? (
            <Loading />
          ) : (
            <HistoryChart pile={pile} history={history.data.value} />
          )}
        </Panel>
        <Panel title={t("pile.map")} isWide>
          {measurements === undefined && history.failure.value === undefined ? (
            <Loading />
          ) : (
            <SurveyPanel tagged={tagged} newestId={newestId} onChange={onChange} />
          )}
        </Panel>
        <Panel title={t("pile.facts")}>
          <AboutPanel tagged={tagged} onChange={onChange} />
        </Panel>
        <Panel title={t("pile.loads")}>
          <LoadsPanel pile={pile} measurements={history.data.value?.total} />
        </Panel>
        {currentId === undefined ? null : (
          <Panel
            title={t("pile.files")}
            isScreenOnly
            failure={files.failure.value}
            onRetry={() => void files.read()}
          >
            {files.data.value === undefined ? (
              <Loading />
            ) : (
              <FilesPanel measurement={files.data.value} />
            )}
          </Panel>
        )}
      </div>
      {isDeclaring.value ? (
        <DeclareDialog
          tagged={tagged}
          onClose={() => {
            isDeclaring.value = false;
          }}
          onDone={() => {
            isDeclaring.value = false;
            onChange();
          }}
        />
      ) : null}
    </>
  );
}

interface PanelProps {
  readonly title: string;
  readonly isWide?: boolean;
  /** It is links, which paper has no use for. */
  readonly isScreenOnly?: boolean;
  /** Of its own request. */
  readonly failure?: Failure | undefined;
  readonly onRetry?: () => void;
  readonly children: ComponentChildren;
}

function Panel({ title, isWide, isScreenOnly, failure, onRetry, children }: PanelProps) {
  return (
    <section
      class={`card${isWide === true ? " pile-wide" : ""}${isScreenOnly === true ? " no-print" : ""}`}
      aria-label={title}
    >
      <h2>{title}</h2>
      <Bulkhead>
        {failure === undefined ? (
          children
        ) : (
          <FailureNotice failure={failure} {...(onRetry === undefined ? {} : { onRetry })} />
        )}
      </Bulkhead>
    </section>
  );
}
