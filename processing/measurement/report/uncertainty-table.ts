import {
  SIGMAS_95,
  type StockpileMeasurement,
  UNCERTAINTY_TERMS,
  type UncertaintyTerm,
} from "../../../domain/sites/measurement.ts";
import { toTenth } from "../../numeric/rounding.ts";
import { figure } from "../../page/figures.ts";
import { type Markup, markup } from "../../page/markup.ts";

/** What each term is, for people (docs/photogrammetry.md#uncertainty-of-a-volume). */
const TERMS: Readonly<Record<UncertaintyTerm, readonly [name: string, what: string]>> = {
  scale: ["Scale", "how well GPS, RTK or control fixes the size of everything"],
  focal: ["Focal length", "heights stretch with it, most of all without oblique images"],
  base: ["Base", "how well the ground below the pile is known"],
  dome: ["Doming", "bending of the whole surface, which a block of nadir images hides"],
  noise: ["Noise", "scatter of single heights; what cells round off; walls that matching widens"],
  gaps: ["Gaps", "parts of the footprint that had to be interpolated"],
  alignment: ["Alignment", "how well this epoch lies on the earlier ones"],
};

/** Terms of the uncertainty, largest first, each with its share of the variance as a bar. */
export function uncertaintyTable({
  uncertainty_terms: terms,
  sigma_m3: sigmaM3,
  uncertainty_95_m3: rangeM3,
}: StockpileMeasurement): Markup {
  const variance = UNCERTAINTY_TERMS.reduce((sum, term) => sum + terms[term] ** 2, 0);
  const rows = UNCERTAINTY_TERMS.toSorted((a, b) => terms[b] - terms[a]).map((term) => {
    const share = variance === 0 ? 0 : terms[term] ** 2 / variance;
    const [name, what] = TERMS[term];
    return markup`<tr><td><b>${name}</b></td><td class="soft">${what}</td><td class="n">${figure(SIGMAS_95 * terms[term], 2)} m\u00b3</td><td class="n">${figure(100 * share, 0)} %</td><td class="bar">${bar(share)}</td></tr>
`;
  });
  return markup`<table><thead><tr><th>Term</th><th>What it is</th><th class="n">\u00b1 (95 %)</th><th class="n">Of the variance</th><th></th></tr></thead><tbody>
${rows}<tr><td><b>Together</b></td><td class="soft">independent terms, added as squares; one standard deviation is ${figure(sigmaM3, 2)} m\u00b3</td><td class="n"><b>${figure(rangeM3, 2)} m\u00b3</b></td><td></td><td></td></tr></tbody></table>`;
}

function bar(share: number): Markup {
  return markup`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="100" height="10" fill="#eef1f4"/><rect class="bar-fill" width="${toTenth(100 * share)}" height="10"/></svg>`;
}
