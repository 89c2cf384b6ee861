import { show } from "../../format/show.ts";
import { EN_SURVEYS } from "../../i18n/en/surveys.ts";
import type { MessageKey } from "../../i18n/en.ts";
import { t, tn } from "../../i18n/t.ts";
import type { ListedSurvey } from "./requests.ts";

type Finding = NonNullable<ListedSurvey["findings"]>[number];

/** What a survey was made for. */
export function sourceText({ source }: Pick<ListedSurvey, "source">): string {
  if (source.kind === "survey") return t("surveys.of_itself");
  return source.kind === "stockpile_measurement"
    ? t("surveys.of_pile", { name: `${source.material}, ${source.location}` })
    : t("surveys.of_capture");
}

/** What fixes place and scale of a survey, in words. */
export const placedText = ({ georeferencing }: ListedSurvey["accuracy"]): string =>
  georeferencing === null ? t("value.unknown") : t(`survey.placed.${georeferencing}`);

/** How exact a survey is: what placed it, and what is stated of its scale and check points. */
export function accuracyText(accuracy: ListedSurvey["accuracy"]): string {
  const { scale_sigma_percent: scale, check_rms_m: check } = accuracy;
  return [
    placedText(accuracy),
    scale === null ? "" : t("survey.scale_short", { value: show.number(scale) }),
    check === null ? "" : t("survey.check_short", { size: show.fineLength(check) }),
    scale === null && check === null ? t("survey.accuracy_unknown") : "",
  ]
    .filter((one) => one !== "")
    .join("; ");
}

/** A length of metres that may not be known. */
export const fineOrUnknown = (metres: number | null): string =>
  metres === null ? t("value.unknown") : show.fineLength(metres);

/** A height of metres that may not be known. */
export const heightOrUnknown = (metres: number | null): string =>
  metres === null ? t("value.unknown") : show.height(metres);

/** Ground sample distance, of centimetres. */
export const sampleText = ({ gsd_cm }: Pick<ListedSurvey, "gsd_cm">): string =>
  fineOrUnknown(gsd_cm === null ? null : gsd_cm / 100);

const isKey = (key: string): key is keyof typeof EN_SURVEYS & MessageKey =>
  Object.hasOwn(EN_SURVEYS, key);

/** A gate in words; one that a later service adds, by its name. */
export function gateText(gate: string): string {
  const key = `gate.${gate}`;
  return isKey(key) ? t(key) : gate.toLowerCase().replaceAll("_", " ");
}

/** What the checks of a survey found, in a few words. */
export function findingsText({
  findings,
  warnings,
}: Pick<ListedSurvey, "findings" | "warnings">): string {
  if (findings === null) return t("survey.findings_unknown");
  const gates = [...new Set(findings.map(({ gate }) => gateText(gate)))];
  const others = warnings.length === 0 ? [] : [tn("survey.warning_count", warnings.length)];
  return [...gates, ...others].join("; ") || t("survey.findings_none");
}

/** A figure of a finding with its unit. */
export const figureText = ({ value, unit }: Finding["measured"]): string =>
  value === null ? t("value.unknown") : `${show.number(value)} ${unit}`.trim();
