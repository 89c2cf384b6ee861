import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import type { SiteFacts } from "../../../model/drawn-site.ts";
import { RAMP_STYLE } from "../../../model/ramp.ts";
import { Fact } from "../../../parts/facts.tsx";
import type { Source } from "./sources.ts";

interface ModelWordsProps {
  readonly facts: SiteFacts;
  readonly source: Source;
}

/** What the picture shows, for who cannot see it. */
export function ModelWords({ facts, source }: ModelWordsProps) {
  const { widthM, depthM, reliefM, highest, vertices, kind, isColoured, aboveBase } = facts;
  return (
    <section class="stack" aria-labelledby="model-words">
      <h2 id="model-words">{t("model.words")}</h2>
      <dl class="facts">
        <Fact name={t("model.size")}>
          {t("model.size_value", { width: show.height(widthM), depth: show.height(depthM) })}
        </Fact>
        <Fact name={t("model.relief")}>{show.height(reliefM)}</Fact>
        <Fact name={t("model.highest")}>
          {t("model.highest_value", {
            east: show.height(highest.eastM),
            north: show.height(highest.northM),
          })}
        </Fact>
        {source === "pile" ? (
          <Fact name={t("model.above")}>
            {aboveBase === undefined
              ? t("model.above_unknown")
              : t("model.above_value", {
                  low: show.height(aboveBase.lowestM),
                  high: show.height(aboveBase.highestM),
                })}
          </Fact>
        ) : (
          <Fact name={t("model.colours")}>
            {t(isColoured ? "model.colours.photo" : "model.colours.none")}
          </Fact>
        )}
        <Fact name={t("model.drawn")}>{tn(`model.drawn.${kind}`, vertices)}</Fact>
      </dl>
      {source === "points" ? <p class="muted small">{t("model.points_hint")}</p> : null}
    </section>
  );
}

/** What the colours of a pile mean. */
export function AboveLegend({ aboveBase }: Pick<SiteFacts, "aboveBase">) {
  if (aboveBase === undefined) return null;
  return (
    <section class="stack" aria-labelledby="model-legend">
      <h2 id="model-legend">{t("model.legend")}</h2>
      <p class="heights-ends small">
        <span>{t("model.legend_low", { height: show.height(0) })}</span>
        <span class="heights-ramp" style={{ background: RAMP_STYLE }} aria-hidden="true" />
        <span>{show.height(aboveBase.highestM)}</span>
      </p>
      <p class="muted small">{t("model.legend_hint")}</p>
    </section>
  );
}
