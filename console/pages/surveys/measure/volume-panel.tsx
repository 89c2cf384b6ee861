import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../../../i18n/t.ts";
import { isDrawn } from "../../../map/drawing/draft.ts";
import { figuresOf } from "../../../map/drawing/figures.ts";
import { useFollowing } from "../../../state/use-following.ts";
import type { Drawing } from "../../fences/drawing.ts";
import { wrongCorners } from "../../fences/flaws.ts";
import type { Survey } from "../requests.ts";
import { Crossing } from "./area-figures.tsx";
import { BaseChoice, type BaseForm, baseOf } from "./base-choice.tsx";
import { FollowingState } from "./following-state.tsx";
import { footprintOf, measureVolume } from "./requests.ts";
import { VolumeFigures } from "./volume-figures.tsx";

interface VolumePanelProps {
  readonly survey: Survey;
  readonly drawing: Drawing;
}

/** The volume in a polygon above a base, measured by the service at each step of the drawing. */
export function VolumePanel({ survey, drawing }: VolumePanelProps) {
  const form = useSignal<BaseForm>({ method: "plane", heightM: undefined, surveyId: "" });
  const draft = drawing.draft.value;
  const base = baseOf(form.value);
  const isCrossing = (figuresOf(draft)?.crossings.length ?? 0) > 0;
  const body =
    base === undefined || !isDrawn(draft) || isCrossing
      ? undefined
      : { footprint: footprintOf(draft.points), base };
  const following = useFollowing(body && JSON.stringify(body), (signal) =>
    measureVolume(survey.id, body ?? { footprint: [] }, signal),
  );
  const bad = following.failure.value;
  useEffect(() => {
    if (bad !== undefined) drawing.wrong.value = wrongCorners(bad);
  }, [bad, drawing]);

  const volume = following.data.value;
  return (
    <>
      <BaseChoice survey={survey} form={form} />
      {isDrawn(draft) ? null : <p class="muted small">{t("measure.area_empty")}</p>}
      {isCrossing ? <Crossing /> : null}
      {isDrawn(draft) && base === undefined ? (
        <p class="muted small">{t("measure.base_missing")}</p>
      ) : null}
      <FollowingState following={following} />
      {volume === undefined ? null : (
        <section
          class="stack"
          aria-label={t("measure.tool.volume")}
          aria-busy={following.isBehind.value}
        >
          <VolumeFigures volume={volume} />
        </section>
      )}
    </>
  );
}
