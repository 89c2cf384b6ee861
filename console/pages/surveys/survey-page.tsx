import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Link, useSearch } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import type { CameraDots } from "../../map/camera-dots.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { keepInAddress } from "../../state/address.ts";
import { projects } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { CameraPanel } from "./cameras/camera-panel.tsx";
import { ChangeChoice } from "./change-choice.tsx";
import { DatesChoice } from "./dates-choice.tsx";
import { DeleteSurvey } from "./delete-survey.tsx";
import { Downloads } from "./downloads.tsx";
import { LayerChoice } from "./layer-choice.tsx";
import { type ChangeLook, changeOf, inOrder, type LayerLook, SURVEY_LAYERS } from "./layers.ts";
import { MeasurePanel } from "./measure/measure-panel.tsx";
import { beginMeasuring } from "./measure/measuring.ts";
import { OtherChoice } from "./other-choice.tsx";
import { ReadSurveyPage } from "./read-survey-page.tsx";
import { readOthers, readSurvey, type Survey } from "./requests.ts";
import { takeStep } from "./stepping.ts";
import { Findings, SurveyFacts } from "./survey-facts.tsx";
import { SurveyMaps } from "./survey-maps.tsx";
import { sourceText } from "./words.ts";
import "./surveys.css";

/** One survey on the map, alone or beside another of the same ground, and what it is worth. */
export function SurveyPage() {
  return <ReadSurveyPage title={t("survey.title")} Shown={ShownSurvey} />;
}

function ShownSurvey({ survey }: { readonly survey: Survey }) {
  const query = new URLSearchParams(useSearch());
  const otherId = query.get("with") ?? "";
  const asked = SURVEY_LAYERS.find((one) => one === query.get("layer"));
  const usual = survey.tiles?.orthophoto == null ? "hillshade" : "orthophoto";
  const look = useSignal<LayerLook>({ layer: asked ?? usual, opacity: 100 });
  const change = useSignal<ChangeLook | undefined>(changeOf(query));
  const other = useAnswer<Survey | undefined>(
    async () => (otherId === "" ? { value: undefined } : await readSurvey(otherId)),
    otherId,
  );
  const others = useAnswer(() => readOthers(survey), survey.id);
  const step = useMemo(takeStep, []);
  const dots = useSignal<CameraDots | undefined>(undefined);
  const measuring = useMemo(beginMeasuring, []);
  const { layer } = look.value;
  useEffect(() => {
    keepInAddress("layer", layer === usual ? undefined : layer);
  }, [layer, usual]);
  const changeTopM = change.value?.topM;
  useEffect(() => {
    keepInAddress("change", changeTopM === undefined ? undefined : String(changeTopM));
  }, [changeTopM]);

  const shownOther = other.data.value?.tiles == null ? undefined : other.data.value;
  const { bounds, tiles, source } = survey;
  const project = projects.value.find(({ id }) => id === survey.project_id);
  return (
    <div class="map-page survey-page">
      {bounds === null || tiles === null ? (
        <div class="map-pane">
          <p class="notice">{t("surveys.gone")}</p>
        </div>
      ) : (
        <SurveyMaps
          key={shownOther?.id}
          survey={survey}
          edges={bounds}
          view={step?.camera}
          other={shownOther}
          look={look}
          change={change}
          drawing={measuring.drawing}
          cameras={dots}
        />
      )}
      <div class="map-side">
        <PageHead title={t("survey.of", { time: show.dateTime(Date.parse(survey.captured_at)) })}>
          <p class="muted small">
            {sourceText(survey)} · {project?.name ?? survey.project_id}
          </p>
        </PageHead>
        <p class="survey-links">
          <Link href={toPage("/surveys")}>{t("survey.back")}</Link>
          <Link href={toPage(`/surveys/${survey.id}/3d`)}>{t("model.link")}</Link>
          {source.kind === "stockpile_measurement" ? (
            <Link href={toPage(`/stockpiles/${source.stockpile_id}`)}>{t("survey.to_pile")}</Link>
          ) : (
            <Link href={toPage("/surveys", { project: survey.project_id })}>
              {t("survey.to_project")}
            </Link>
          )}
        </p>
        {tiles === null ? null : (
          <LayerChoice
            look={look}
            surveys={shownOther === undefined ? [survey] : [shownOther, survey]}
            isChange={shownOther !== undefined && change.value !== undefined}
            onLayer={() => {
              change.value = undefined;
            }}
          />
        )}
        <DatesChoice
          survey={survey}
          others={others.data.value ?? []}
          layer={layer}
          isNext={step !== undefined}
        />
        <OtherChoice answer={others} chosen={otherId} />
        {tiles === null || shownOther === undefined ? null : (
          <ChangeChoice change={change} surveys={inOrder(survey, shownOther)} />
        )}
        {other.failure.value === undefined ? null : (
          <FailureNotice failure={other.failure.value} onRetry={() => void other.read()} />
        )}
        {other.data.value !== undefined && shownOther === undefined ? (
          <p class="notice">{t("survey.other_gone")}</p>
        ) : null}
        {tiles === null ? null : (
          <MeasurePanel survey={survey} measuring={measuring} otherId={shownOther?.id} />
        )}
        {tiles === null ? null : (
          <CameraPanel survey={survey} isAsked={query.get("cameras") === "1"} dots={dots} />
        )}
        <SurveyFacts survey={survey} />
        <Findings survey={survey} />
        <Downloads survey={survey} />
        {source.kind === "survey" && may("progress:write") ? <DeleteSurvey id={survey.id} /> : null}
      </div>
    </div>
  );
}
