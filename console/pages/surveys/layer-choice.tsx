import type { Signal } from "@preact/signals";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";
import { type LayerLook, SURVEY_LAYERS, shownLayer } from "./layers.ts";
import type { Survey } from "./requests.ts";
import { heightOrUnknown } from "./words.ts";

interface LayerChoiceProps {
  readonly look: Signal<LayerLook>;
  /** Those on the map: one, or the left and the right one. */
  readonly surveys: readonly Survey[];
  /** The map shows what changed in place of a layer: none is chosen, and choosing one ends that. */
  readonly isChange: boolean;
  readonly onLayer: () => void;
}

/** Chooses the layer that the map shows, and how strongly; says what the colours of heights mean. */
export function LayerChoice({ look, surveys, isChange, onLayer }: LayerChoiceProps) {
  const { layer, opacity } = look.value;
  const hasOrthophoto = surveys.some(({ tiles }) => tiles?.orthophoto != null);
  const shown = surveys.map((survey) => shownLayer(survey, layer));
  return (
    <section class="survey-layers no-print" aria-labelledby="survey-layers">
      <h2 id="survey-layers">{t("survey.layer")}</h2>
      <div role="radiogroup" aria-labelledby="survey-layers">
        {SURVEY_LAYERS.map((one) => (
          <label key={one} class="check">
            <input
              type="radio"
              name="survey-layer"
              checked={one === layer && !isChange}
              disabled={one === "orthophoto" && !hasOrthophoto}
              onChange={() => {
                look.value = { ...look.peek(), layer: one };
                onLayer();
              }}
            />
            {t(`survey.layer.${one}`)}
          </label>
        ))}
      </div>
      {isChange ? <p class="muted small">{t("survey.layer_is_change")}</p> : null}
      {hasOrthophoto ? null : <p class="muted small">{t("survey.no_orthophoto")}</p>}
      <Field name={t("survey.opacity", { percent: show.percent(opacity) })}>
        {(control) => (
          <input
            {...control}
            type="range"
            min="0"
            max="100"
            step="5"
            value={opacity}
            aria-valuetext={show.percent(opacity)}
            onInput={(event) => {
              look.value = { ...look.peek(), opacity: Number(event.currentTarget.value) };
            }}
          />
        )}
      </Field>
      {shown.includes("heights") && !isChange ? <HeightLegend surveys={surveys} /> : null}
    </section>
  );
}

/** The colours of heights with both ends in words; of two surveys each has its own ends. */
function HeightLegend({ surveys }: Pick<LayerChoiceProps, "surveys">) {
  return (
    <div class="heights-legend">
      {surveys.map(({ id, tiles, captured_at }) => (
        <p key={id} class="small">
          {surveys.length === 1 ? null : <>{show.dateTime(Date.parse(captured_at))}: </>}
          <span class="heights-ends">
            <span>{heightOrUnknown(tiles?.heights.low_m ?? null)}</span>
            <span class="heights-ramp" aria-hidden="true" />
            <span>{heightOrUnknown(tiles?.heights.high_m ?? null)}</span>
          </span>
        </p>
      ))}
      <p class="muted small">
        {t(surveys.length === 1 ? "survey.heights_hint" : "survey.heights_apart")}
      </p>
    </div>
  );
}
