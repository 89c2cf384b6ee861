import { useComputed, useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { draftOf, emptyDraft } from "../../../map/drawing/draft.ts";
import { SURVEY_LAYERS, type SurveyLayer, type SurveyPicture } from "../../../map/survey-layer.ts";
import { FailureNotice } from "../../../parts/notices.tsx";
import { toPage } from "../../../state/to-page.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { beginDrawing, type Drawing } from "../../fences/drawing.ts";
import { PileMap } from "../pile-map.tsx";
import type { TaggedPile } from "../requests.ts";
import { FootprintEditor } from "./footprint-editor.tsx";
import { FootprintLine } from "./footprint-line.tsx";
import { readSurvey, type Survey } from "./requests.ts";
import { lineThrough, SectionPanel } from "./section-panel.tsx";

interface SurveyPanelProps {
  readonly tagged: TaggedPile;
  /** The newest measurement, which is also the id of its survey; absent: there is none. */
  readonly newestId: string | undefined;
  /** The footprint was changed or confirmed. */
  readonly onChange: () => void;
}

/** The newest survey on the map with the footprint, which can be confirmed or corrected over it. */
export function SurveyPanel({ tagged, newestId, onChange }: SurveyPanelProps) {
  const layer = useSignal<SurveyLayer | "none">("orthophoto");
  const percent = useSignal(100);
  const drawing = useSignal<Drawing | undefined>(undefined);
  const section = useSignal<Drawing | undefined>(undefined);
  // One thing is drawn at a time: the footprint goes before the section, which stays as it is meanwhile.
  const drawn = useComputed(() => drawing.value ?? section.value);
  const pile = useSignal(tagged.pile);
  pile.value = tagged.pile;
  const survey = useAnswer<Survey | undefined>(
    async () => (newestId === undefined ? { value: undefined } : await readSurvey(newestId)),
    newestId ?? "",
  );
  const shown = useComputed(() => shownLayer(survey.data.value, layer.value));
  const picture = useComputed(() => pictureOf(survey.data.value, shown.value, percent.value));
  const places = useComputed(() => {
    const { id, footprint } = pile.value;
    // The one that is being changed is drawn by the tool.
    return drawing.value === undefined
      ? // Without its name, which is the heading of the page and would cover the pile.
        [{ id, name: "", corners: footprint }]
      : [];
  });
  const view = useComputed(() => cornersOf(pile.value.footprint, survey.data.value));

  return (
    <div class="pile-survey">
      <PileMap
        label={t("pile.map_label")}
        places={places}
        view={view}
        picture={picture}
        drawing={drawn}
      />
      <div class="stack">
        {survey.failure.value === undefined ? null : (
          <FailureNotice failure={survey.failure.value} onRetry={() => void survey.read()} />
        )}
        {newestId === undefined ? <p class="muted">{t("pile.no_survey")}</p> : null}
        {newestId === undefined ? null : (
          <p class="no-print">
            <Link href={toPage(`/surveys/${newestId}/3d`, { show: "pile" })}>
              {t("model.link_pile")}
            </Link>{" "}
            · <Link href={toPage(`/surveys/${newestId}`)}>{t("pile.to_survey")}</Link>
          </p>
        )}
        {survey.data.value === undefined ? null : (
          <LayerChoice
            survey={survey.data.value}
            layer={shown.value}
            percent={percent.value}
            onLayer={(chosen) => {
              layer.value = chosen;
            }}
            onPercent={(chosen) => {
              percent.value = chosen;
            }}
          />
        )}
        {drawing.value === undefined ? (
          <FootprintLine
            tagged={tagged}
            onChange={onChange}
            onDraw={() => {
              const { footprint } = tagged.pile;
              drawing.value = beginDrawing(
                footprint === undefined
                  ? emptyDraft("polygon")
                  : draftOf({ shape: "polygon", polygon: openRing(footprint) }),
              );
            }}
          />
        ) : (
          <FootprintEditor
            tagged={tagged}
            drawing={drawing.value}
            onSaved={() => {
              drawing.value = undefined;
              onChange();
            }}
            onCancel={() => {
              drawing.value = undefined;
            }}
          />
        )}
        {survey.data.value === undefined || drawing.value !== undefined ? null : section.value ===
          undefined ? (
          <button
            type="button"
            class="no-print"
            onClick={() => {
              section.value = beginDrawing(lineThrough(tagged.pile.footprint));
            }}
          >
            {t("pile.section")}
          </button>
        ) : (
          <SectionPanel
            survey={survey.data.value}
            drawing={section.value}
            onEnd={() => {
              section.value = undefined;
            }}
          />
        )}
      </div>
    </div>
  );
}

interface LayerChoiceProps {
  readonly survey: Survey;
  readonly layer: SurveyLayer | "none";
  readonly percent: number;
  readonly onLayer: (layer: SurveyLayer | "none") => void;
  readonly onPercent: (percent: number) => void;
}

/** Which picture of the survey is on the map, and how much of the ground below shows through. */
function LayerChoice({ survey, layer, percent, onLayer, onPercent }: LayerChoiceProps) {
  const { tiles, captured_at } = survey;
  return (
    <fieldset class="checks no-print">
      <legend>{t("pile.layer")}</legend>
      <p class="small">{t("pile.survey_of", { time: show.dateTime(Date.parse(captured_at)) })}</p>
      {tiles === null ? (
        <p class="muted small">{t("pile.no_tiles")}</p>
      ) : (
        <>
          {(["none", ...SURVEY_LAYERS] as const).map((one) =>
            one === "orthophoto" && tiles.orthophoto === null ? null : (
              <label key={one} class="check">
                <input
                  type="radio"
                  name="survey-layer"
                  checked={one === layer}
                  onChange={() => onLayer(one)}
                />
                {t(`pile.layer.${one}`)}
              </label>
            ),
          )}
          {tiles.orthophoto === null ? <p class="muted small">{t("pile.no_orthophoto")}</p> : null}
          {layer === "heights" ? <HeightsRange survey={survey} /> : null}
          {layer === "none" ? null : (
            <label class="field">
              {t("pile.opacity")}
              <input
                type="range"
                min={10}
                max={100}
                step={10}
                value={percent}
                aria-valuetext={show.percent(percent)}
                onInput={(event) => onPercent(event.currentTarget.valueAsNumber)}
              />
            </label>
          )}
        </>
      )}
    </fieldset>
  );
}

/** What the colours of the heights mean. */
function HeightsRange({ survey }: { readonly survey: Survey }) {
  const { low_m, high_m } = survey.tiles?.heights ?? {};
  if (low_m == null || high_m == null) return null;
  const { kind, name } = survey.vertical_datum;
  return (
    <>
      <div class="pile-viridis" aria-hidden="true" />
      <p class="small">
        {t("pile.heights_range", {
          low: show.length(low_m),
          high: show.length(high_m),
          datum: kind === "unknown" ? t("pile.datum_unknown") : name,
        })}
      </p>
    </>
  );
}

/** The layer that is shown: where there is no orthophoto, the relief. */
function shownLayer(survey: Survey | undefined, chosen: SurveyLayer | "none") {
  return chosen === "orthophoto" && survey?.tiles?.orthophoto == null ? "hillshade" : chosen;
}

/** Tiles of a layer by way of the origin that the page came from: the signed address may name another one. */
function pictureOf(
  survey: Survey | undefined,
  layer: SurveyLayer | "none",
  percent: number,
): SurveyPicture | undefined {
  const tiles = layer === "none" ? undefined : survey?.tiles?.[layer];
  const bounds = survey?.bounds;
  if (tiles == null || bounds == null) return undefined;
  return {
    urlTemplate: tiles.url_template.replace(/^https?:\/\/[^/]+/, location.origin),
    minZoom: tiles.min_zoom,
    maxZoom: tiles.max_zoom,
    bounds: [bounds.west, bounds.south, bounds.east, bounds.north],
    opacity: percent / 100,
  };
}

/** Corners of what the map shows first, `[longitude, latitude]`: the footprint, without one the survey. */
function cornersOf(
  footprint: TaggedPile["pile"]["footprint"],
  survey: Survey | undefined,
): readonly (readonly [number, number])[] {
  if (footprint !== undefined) return footprint.map(([lat = 0, lng = 0]) => [lng, lat] as const);
  const bounds = survey?.bounds;
  if (bounds == null) return [];
  return [
    [bounds.west, bounds.south],
    [bounds.east, bounds.north],
  ];
}

/** A ring without the corner that closes it: the drawing tool closes it itself. */
function openRing(ring: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const [first] = ring;
  const last = ring.at(-1);
  const isClosed = ring.length > 3 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
  return isClosed ? ring.slice(0, -1) : ring;
}
