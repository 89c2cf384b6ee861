import { serviceText } from "../../../format/service-text.ts";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { When } from "../../../parts/time.tsx";
import type { Stockpile } from "../../../state/site-places.ts";
import { Basis } from "../basis.tsx";
import { PileBar } from "../pile-bar.tsx";
import { changeWithin, pileVolume, tonnesText } from "../words.ts";
import { comparedWith } from "./history.ts";
import type { ListedMeasurement } from "./requests.ts";
import { TermsBar } from "./terms-bar.tsx";

interface FigurePanelProps {
  readonly pile: Stockpile;
  /** The measurement that the volume is of; absent: a person declared it, or nobody knows it, or it is not read yet. */
  readonly measurement: ListedMeasurement | undefined;
}

/** The volume now, with what it rests on. */
export function FigurePanel({ pile, measurement }: FigurePanelProps) {
  return (
    <>
      <p class="pile-figure">{pileVolume(pile)}</p>
      <PileBar pile={pile} />
      <dl class="facts">
        <Fact name={t("piles.sort.tonnes")}>{tonnesText(pile.tonnes)}</Fact>
        {pile.volume_basis === "none" ? null : (
          <>
            <Fact name={t("piles.sort.status")}>{t(`pile.${pile.status}`)}</Fact>
            <Fact name={t("pile.as_of")}>
              <When ms={Date.parse(pile.last_measured)} isPressable />
            </Fact>
          </>
        )}
        <Fact name={t("piles.basis")}>
          <Basis pile={pile} isPressable />
        </Fact>
        {measurement === undefined ? null : (
          <>
            <Fact name={t("pile.accuracy")}>
              <span lang="en">{serviceText(measurement.accuracy_note)}</span>
            </Fact>
            <Fact name={t("pile.change")}>
              <Change measurement={measurement} />
            </Fact>
          </>
        )}
      </dl>
    </>
  );
}

/** The last change, and whether it is one. */
function Change({ measurement }: { readonly measurement: ListedMeasurement }) {
  const { change_m3, change_uncertainty_95_m3, significant } = measurement;
  const change = show.volume(change_m3);
  const basis = comparedWith(measurement);
  if (basis === "none") return <>{t("pile.change_none")}</>;
  if (basis === "declared") return <>{t("pile.change_declared", { change })}</>;
  if (basis === "other") return <>{t("pile.change_new_base", { change })}</>;
  return (
    <>
      {changeWithin(change_m3, change_uncertainty_95_m3 ?? 0)}.{" "}
      {t(significant === true ? "pile.significant" : "pile.not_significant")}
    </>
  );
}

/** What is known against a measurement, and where its interval comes from. */
export function DoubtsPanel({ measurement }: { readonly measurement: ListedMeasurement }) {
  const { warnings, sigma_terms_m3 } = measurement;
  return (
    <>
      <p class="muted small">
        {t("pile.survey_of", { time: show.dateTime(Date.parse(measurement.measured_at)) })}
      </p>
      <h3>{t("pile.warnings")}</h3>
      {warnings.length === 0 ? <p>{t("pile.no_warnings")}</p> : null}
      <ul class="pile-warnings" lang="en">
        {warnings.map((warning) => (
          <li key={warning}>{serviceText(warning)}</li>
        ))}
      </ul>
      <h3>{t("pile.terms")}</h3>
      <TermsBar terms={sigma_terms_m3} />
    </>
  );
}
