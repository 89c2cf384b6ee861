import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import type { ListedMeasurement } from "./requests.ts";

const TERMS = ["scale", "focal", "base", "dome", "noise", "gaps", "alignment"] as const;

/** The least volume that is written as it is, m³: a smaller one would read as 0. */
const LEAST_M3 = 0.1;

/** What the uncertainty of a volume comes from: a bar of the shares of the variance, and the same in words. */
export function TermsBar({ terms }: { readonly terms: ListedMeasurement["sigma_terms_m3"] }) {
  const variance = TERMS.reduce((sum, term) => sum + terms[term] ** 2, 0);
  if (variance === 0) return <p class="muted">{t("pile.terms_zero")}</p>;
  const shares = TERMS.map((term) => ({
    term,
    sigma: terms[term],
    percent: (terms[term] ** 2 / variance) * 100,
  }))
    .filter(({ sigma }) => sigma > 0)
    .sort((a, b) => b.percent - a.percent);
  return (
    <>
      <div class="pile-terms" aria-hidden="true">
        {shares.map(({ term, percent }) => (
          <span key={term} class={`pile-term-${term}`} style={{ flexGrow: percent }} />
        ))}
      </div>
      <ul class="pile-legend small">
        {shares.map(({ term, sigma, percent }) => (
          <li key={term}>
            <span class={`pile-swatch pile-term-${term}`} aria-hidden="true" />
            {t(`pile.term.${term}`)},{" "}
            {t(sigma < LEAST_M3 ? "pile.term_small" : "pile.term", {
              share:
                percent < 0.5 ? t("pile.less", { value: show.percent(1) }) : show.percent(percent),
              sigma: show.volume(Math.max(sigma, LEAST_M3)),
            })}
          </li>
        ))}
      </ul>
      <p class="muted small">{t("pile.terms_hint")}</p>
    </>
  );
}
