import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import type { Draft } from "../../map/drawing/draft.ts";
import type { Geofence } from "../../state/fences.ts";

/** Which crossings open an alert, in words. */
export function alertText(triggers: Geofence["alert_on"]): string {
  const isOnEnter = triggers.includes("both") || triggers.includes("enter");
  const isOnExit = triggers.includes("both") || triggers.includes("exit");
  if (isOnEnter && isOnExit) return t("fences.alert.both");
  if (isOnEnter) return t("fences.alert.enter");
  return t(isOnExit ? "fences.alert.exit" : "fences.alert.none");
}

/** Shape and size of a fence, in words. */
export function groundText({ shape, points, sizeM }: Draft): string {
  const size = sizeM === undefined ? t("value.unknown") : show.length(sizeM);
  if (shape === "circle") return t("fences.ground.circle", { size });
  const corners = tn("fences.corner_count", points.length);
  return shape === "corridor" ? t("fences.ground.corridor", { size, corners }) : corners;
}
