import { t } from "../../i18n/t.ts";
import type { SurveyPicture } from "../../map/survey-map.ts";
import type { Survey } from "./requests.ts";

/** Layers of a survey that a map shows. */
export const SURVEY_LAYERS = ["orthophoto", "hillshade", "heights"] as const;
export type SurveyLayer = (typeof SURVEY_LAYERS)[number];

/** Which layer is shown, and how strongly. */
export interface LayerLook {
  readonly layer: SurveyLayer;
  /** Percent. */
  readonly opacity: number;
}

/** The layer that is shown of a survey: what was asked for, or the relief where it has none of that. */
export function shownLayer(survey: Pick<Survey, "tiles">, asked: SurveyLayer): SurveyLayer {
  return asked === "orthophoto" && survey.tiles?.orthophoto == null ? "hillshade" : asked;
}

/** What a map draws of a survey; nothing where its surface can no longer be read. */
export function pictureOf(
  { tiles }: Pick<Survey, "tiles">,
  { layer, opacity }: LayerLook,
): SurveyPicture | undefined {
  const found = tiles?.[shownLayer({ tiles }, layer)];
  if (found == null) return undefined;
  return {
    urlTemplate: ownAddress(found.url_template, location.origin),
    minZoom: found.min_zoom,
    maxZoom: found.max_zoom,
    opacity: opacity / 100,
  };
}

/**
 * A signed address under the origin of this page: the service names its public one, and a page that was opened by
 * another name of it may ask only there.
 */
const ownAddress = (address: string, origin: string): string =>
  address.replace(/^https?:\/\/[^/]+/, origin);

/** Name of the layer that is shown, and why it is another one than was asked for. */
export function layerText(survey: Pick<Survey, "tiles">, asked: SurveyLayer): string {
  const shown = shownLayer(survey, asked);
  const name = t(`survey.layer.${shown}`);
  return shown === asked ? name : t("survey.layer_instead", { name });
}
