import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { TermsBar } from "../../stockpiles/stockpile/terms-bar.tsx";
import { volumeShown, volumeWithin } from "./figures.ts";
import type { Volume } from "./requests.ts";
import "../../stockpiles/stockpiles.css";

/** A volume that the service measured: net with its interval, cut and fill apart, and what all of it rests on. */
export function VolumeFigures({ volume }: { readonly volume: Volume }) {
  const { net_m3, uncertainty_95_m3, cut_m3, fill_m3, rounded_off_m3, tonnes } = volume;
  const { base, accuracy_basis } = volume;
  return (
    <>
      <dl class="facts measure-facts">
        <Fact name={t("measure.net")}>
          <span class="measure-main">{volumeWithin(net_m3, uncertainty_95_m3)}</span>
        </Fact>
        <Fact name={t("measure.cut")}>{volumeShown(cut_m3)}</Fact>
        <Fact name={t("measure.fill")}>{volumeShown(fill_m3)}</Fact>
        {rounded_off_m3 === undefined ? null : (
          <Fact name={t("measure.rounded_off")}>{volumeShown(rounded_off_m3)}</Fact>
        )}
        {tonnes === undefined ? null : (
          <Fact name={t("piles.sort.tonnes")}>
            {tonnes === null ? t("measure.no_tonnes") : show.tonnes(tonnes)}
          </Fact>
        )}
        <Fact name={t("fences.area")}>
          {show.area(volume.area_m2)} <span class="muted">{t("fences.by_service")}</span>
        </Fact>
        <Fact name={t("measure.top")}>{show.height(volume.max_height_m)}</Fact>
        <Fact name={t("measure.base")}>
          {t(`measure.base.${base.method}`)}
          <span class="muted small block">
            {base.from === "given"
              ? t("measure.base_given")
              : t("measure.base_spread", { spread: show.fineLength(base.nmad_m) })}
          </span>
        </Fact>
        <Fact name={t("measure.basis")}>{t(`measure.accuracy.${accuracy_basis}`)}</Fact>
        <Fact name={t("measure.coverage")}>
          {t("measure.covered", {
            covered: show.tenth(volume.coverage_percent),
            filled: show.tenth(volume.interpolated_percent),
          })}
        </Fact>
        <Fact name={t("measure.cell")}>{show.fineLength(volume.cell_m)}</Fact>
      </dl>
      <p class="muted small">{t("measure.interval_of_net")}</p>
      <Warnings warnings={volume.warnings} />
      <details>
        <summary>{t("pile.terms")}</summary>
        <TermsBar terms={volume.sigma_terms_m3} />
      </details>
    </>
  );
}

/** What is known against a volume, as the service says it. */
function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return <p class="small">{t("measure.no_warnings")}</p>;
  return (
    <ul class="pile-warnings">
      {warnings.map((warning) => (
        <li key={warning}>{warning}</li>
      ))}
    </ul>
  );
}
