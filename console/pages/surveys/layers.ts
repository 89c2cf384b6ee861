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

/** How the change between two surveys is drawn. */
export interface ChangeLook {
  /** Change that has the darkest colour, metres. */
  readonly topM: number;
}

/** Changes of up to so much are grey, metres: about what two good surveys differ by. */
export const CHANGE_NOISE_M = 0.1;
/** Changes that the darkest colour can be given to, metres. */
export const CHANGE_TOPS_M = [0.5, 1, 2, 5, 10, 20] as const;

/** A usual heap is a few metres high. */
export const USUAL_CHANGE: ChangeLook = { topM: 2 };

/** The change that an address asks for (`change=5`); nothing without, the usual one for what cannot be chosen. */
export function changeOf(query: URLSearchParams): ChangeLook | undefined {
  const asked = query.get("change");
  if (asked === null) return undefined;
  const topM = CHANGE_TOPS_M.find((one) => String(one) === asked);
  return topM === undefined ? USUAL_CHANGE : { topM };
}

/** What a map draws of the change from the earlier of two surveys to the later one; nothing without both surfaces. */
export function changePicture(
  [earlier, later]: readonly [Survey, Survey],
  { topM }: ChangeLook,
  opacity: number,
): SurveyPicture | undefined {
  const heights = later.tiles?.heights;
  if (heights === undefined || earlier.tiles === null) return undefined;
  const ids = [later.id, "change", earlier.id].map(encodeURIComponent).join("/");
  const scale = `top_m=${topM}&noise_m=${CHANGE_NOISE_M}`;
  return {
    urlTemplate: `${location.origin}/api/v1/surveys/${ids}/{z}/{x}/{y}.webp?${scale}`,
    minZoom: heights.min_zoom,
    maxZoom: heights.max_zoom,
    opacity: opacity / 100,
  };
}

/** Two surveys in the order of their photographs. */
export const inOrder = (one: Survey, two: Survey): readonly [Survey, Survey] =>
  Date.parse(one.captured_at) <= Date.parse(two.captured_at) ? [one, two] : [two, one];

/** Name of the layer that is shown, and why it is another one than was asked for. */
export function layerText(survey: Pick<Survey, "tiles">, asked: SurveyLayer): string {
  const shown = shownLayer(survey, asked);
  const name = t(`survey.layer.${shown}`);
  return shown === asked ? name : t("survey.layer_instead", { name });
}
