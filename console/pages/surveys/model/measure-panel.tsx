import type { ReadonlySignal, Signal } from "@preact/signals";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { type Measured, measure } from "../../../model/measure.ts";
import type { SiteModel } from "../../../model/site-model.ts";
import { Fact } from "../../../parts/facts.tsx";
import { QuantityField } from "../../../parts/quantity-field.tsx";
import { isBeside, NO_POINTS, type Point, type Points, typed } from "./points.ts";

interface MeasurePanelProps {
  readonly points: Signal<Points>;
  readonly model: ReadonlySignal<SiteModel | undefined>;
  /** How far heights of what is drawn lie apart, metres; `undefined`: not known. */
  readonly spacingM: number | undefined;
}

/** Two points, by clicks or typed, and what lies between them. */
export function MeasurePanel({ points, model, spacingM }: MeasurePanelProps) {
  const [a, b] = points.value;
  const change = (index: 0 | 1, what: Parameters<typeof typed>[1]) => {
    const placeAt = (eastM: number, northM: number) => model.peek()?.placeAt(eastM, northM);
    const changed = typed(points.peek()[index], what, placeAt);
    const [first, second] = points.peek();
    points.value = index === 0 ? [changed, second] : [first, changed];
  };
  return (
    <section class="stack" aria-labelledby="model-measure">
      <h2 id="model-measure">{t("model.measure")}</h2>
      <p class="muted small">{t("model.measure_hint")}</p>
      <PointFields name="A" point={a} onChange={(what) => change(0, what)} />
      <PointFields name="B" point={b} onChange={(what) => change(1, what)} />
      <div class="tool-row">
        <button
          type="button"
          onClick={() => {
            points.value = NO_POINTS;
          }}
        >
          {t("model.clear")}
        </button>
      </div>
      <div role="status">
        {a.place === undefined || b.place === undefined ? null : (
          <Result measured={measure(a.place, b.place)} />
        )}
      </div>
      {spacingM === undefined ? null : (
        <p class="muted small">
          {t("model.measure_exact", { spacing: show.fineLength(spacingM) })}
        </p>
      )}
    </section>
  );
}

interface PointFieldsProps {
  readonly name: string;
  readonly point: Point;
  readonly onChange: (what: Parameters<typeof typed>[1]) => void;
}

function PointFields({ name, point, onChange }: PointFieldsProps) {
  const wrong = (value: number | undefined) =>
    Number.isNaN(value) ? t("model.not_number") : undefined;
  return (
    <fieldset class="model-point">
      <legend>{t("model.point", { name })}</legend>
      <div class="model-fields">
        <QuantityField
          quantity="length"
          name={t("model.east")}
          value={point.eastM}
          error={wrong(point.eastM)}
          onValue={(eastM) => onChange({ eastM })}
        />
        <QuantityField
          quantity="length"
          name={t("model.north_of")}
          value={point.northM}
          error={wrong(point.northM)}
          onValue={(northM) => onChange({ northM })}
        />
      </div>
      <p class="small" role="status">
        {isBeside(point) ? t("model.no_surface") : null}
        {point.place === undefined ? null : t("model.up", { height: show.height(point.place.upM) })}
      </p>
    </fieldset>
  );
}

function Result({ measured }: { readonly measured: Measured }) {
  const { distanceM, planM, riseM } = measured;
  return (
    <dl class="facts">
      <Fact name={t("model.distance")}>{show.height(distanceM)}</Fact>
      <Fact name={t("model.plan")}>{show.height(planM)}</Fact>
      <Fact name={t("model.rise")}>{riseText(riseM)}</Fact>
      <Fact name={t("model.slope")}>{slopeText(measured)}</Fact>
    </dl>
  );
}

function riseText(riseM: number): string {
  if (riseM === 0) return t("model.rise.none");
  const height = show.height(Math.abs(riseM));
  return t(riseM > 0 ? "model.rise.up" : "model.rise.down", { height });
}

function slopeText({ slopePercent, slopeDeg }: Measured): string {
  if (slopePercent === undefined) return t("model.slope_vertical");
  const [percent, angle] = [show.tenth(slopePercent), show.angle(slopeDeg)];
  return t("model.slope_value", { percent, angle });
}
