import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link, useSearch } from "wouter-preact";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import type { SiteFacts } from "../../../model/drawn-site.ts";
import { PRESETS } from "../../../model/presets.ts";
import type { SiteModel } from "../../../model/site-model.ts";
import { Empty } from "../../../parts/notices.tsx";
import { PageHead } from "../../../parts/page.tsx";
import { keepInAddress } from "../../../state/address.ts";
import { toPage } from "../../../state/to-page.ts";
import { ReadSurveyPage } from "../read-survey-page.tsx";
import type { Survey } from "../requests.ts";
import { sourceText } from "../words.ts";
import { MeasurePanel } from "./measure-panel.tsx";
import { ModelStage } from "./model-stage.tsx";
import { AboveLegend, ModelWords } from "./model-words.tsx";
import { NO_POINTS } from "./points.ts";
import { type Source, sourcesOf } from "./sources.ts";
import "../surveys.css";
import "./model.css";

/** How many times as large heights are drawn. */
const EXAGGERATIONS = [1, 2, 5] as const;

/** A survey in three dimensions, `/surveys/:id/3d`. */
export function ModelPage() {
  return <ReadSurveyPage title={t("model.title")} Shown={ShownModel} />;
}

function ShownModel({ survey }: { readonly survey: Survey }) {
  const query = new URLSearchParams(useSearch());
  const sources = sourcesOf(survey);
  const [usual] = sources;
  const asked = sources.find((one) => one === query.get("show"));
  const chosen = useSignal<Source | undefined>(asked ?? usual);
  const exaggeration = useSignal(1);
  const points = useSignal(NO_POINTS);
  const model = useSignal<SiteModel | undefined>(undefined);
  const facts = useSignal<SiteFacts | undefined>(undefined);
  const source = chosen.value;
  useEffect(() => {
    keepInAddress("show", source === usual ? undefined : source);
  }, [source, usual]);

  return (
    <div class="map-page survey-page">
      {source === undefined ? (
        <div class="map-pane">
          <Empty title={t("model.none")}>{t("model.none_hint")}</Empty>
        </div>
      ) : (
        <ModelStage {...{ survey, source, exaggeration, points, model, facts }} />
      )}
      <div class="map-side">
        <PageHead title={t("model.of", { time: show.dateTime(Date.parse(survey.captured_at)) })}>
          <p class="muted small">{sourceText(survey)}</p>
        </PageHead>
        <p class="survey-links">
          <Link href={toPage(`/surveys/${survey.id}`)}>{t("model.back")}</Link>
          {survey.source.kind === "stockpile_measurement" ? (
            <Link href={toPage(`/stockpiles/${survey.source.stockpile_id}`)}>
              {t("survey.to_pile")}
            </Link>
          ) : null}
        </p>
        {source === undefined ? null : (
          <>
            <Radios
              name="model-source"
              title={t("model.source")}
              choices={sources.map((one) => [one, t(`model.source.${one}`)] as const)}
              chosen={source}
              onChoose={(one) => {
                // Places of one file are not those of another: each has its own corner.
                points.value = NO_POINTS;
                chosen.value = one;
              }}
            />
            <AboveLegend aboveBase={facts.value?.aboveBase} />
            <Views model={model} />
            <Radios
              name="model-heights"
              title={t("model.heights")}
              choices={EXAGGERATIONS.map(
                (n) => [n, n === 1 ? t("model.heights_true") : t("model.times", { n })] as const,
              )}
              chosen={exaggeration.value}
              hint={t("model.heights_hint")}
              onChoose={(n) => {
                exaggeration.value = n;
              }}
            />
            {model.value === undefined ? null : (
              <MeasurePanel points={points} model={model} spacingM={facts.value?.spacingM} />
            )}
            {facts.value === undefined ? null : <ModelWords facts={facts.value} source={source} />}
            <p id="model-keys" class="muted small">
              {t("model.keys")}
            </p>
          </>
        )}
      </div>
    </div>
  );
}

function Views({ model }: { readonly model: Signal<SiteModel | undefined> }) {
  return (
    <section aria-labelledby="model-views">
      <h2 id="model-views">{t("model.views")}</h2>
      <div class="tool-row">
        {PRESETS.map((preset, i) => (
          <button
            key={preset}
            type="button"
            disabled={model.value === undefined}
            aria-keyshortcuts={String(i + 1)}
            onClick={() => model.peek()?.look(preset)}
          >
            {t(`model.view.${preset}`)}
          </button>
        ))}
      </div>
    </section>
  );
}

interface RadiosProps<T extends string | number> {
  /** Of the group, for the browser. */
  readonly name: string;
  readonly title: string;
  readonly choices: readonly (readonly [value: T, text: string])[];
  readonly chosen: T;
  readonly hint?: string;
  readonly onChoose: (value: T) => void;
}

function Radios<T extends string | number>(props: RadiosProps<T>) {
  const { name, title, choices, chosen, hint, onChoose } = props;
  return (
    <section class="survey-layers" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <div role="radiogroup" aria-labelledby={name}>
        {choices.map(([value, text]) => (
          <label key={value} class="check">
            <input
              type="radio"
              name={name}
              checked={value === chosen}
              onChange={() => onChoose(value)}
            />
            {text}
          </label>
        ))}
      </div>
      {hint === undefined ? null : <p class="muted small">{hint}</p>}
    </section>
  );
}
