import { effect, type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import type { CameraDots } from "../../map/camera-dots.ts";
import {
  type Camera,
  type SurveyEdges,
  SurveyMap,
  type SurveyPicture,
} from "../../map/survey-map.ts";
import { MapFrame } from "../../parts/map-frame.tsx";
import { baseMap } from "../../state/base-map.ts";
import { theme } from "../../state/preferences.ts";
import { drawOn } from "../fences/draw-on.ts";
import type { Drawing } from "../fences/drawing.ts";
import {
  type ChangeLook,
  changePicture,
  inOrder,
  type LayerLook,
  layerText,
  pictureOf,
} from "./layers.ts";
import type { Survey } from "./requests.ts";
import { seeFrom } from "./stepping.ts";
import { SwipeLine } from "./swipe-line.tsx";

interface SurveyMapsProps {
  readonly survey: Survey;
  readonly edges: SurveyEdges;
  /** Where the map looks first; absent: at the whole survey. */
  readonly view: Camera | undefined;
  /** The survey that is shown to the left of the divider; absent: the map shows one alone. */
  readonly other: Survey | undefined;
  readonly look: ReadonlySignal<LayerLook>;
  /** One map shows what changed between both; absent, or no other: each is shown as it is. */
  readonly change: ReadonlySignal<ChangeLook | undefined>;
  /** What is being measured, drawn on the map that people move. */
  readonly drawing: ReadonlySignal<Drawing | undefined>;
  /** Where its photographs were taken; absent: they are not shown. */
  readonly cameras: ReadonlySignal<CameraDots | undefined>;
}

/**
 * A survey on a map; with another one, that is drawn above it up to a divider. The upper map takes no pointer and no
 * key: it looks where the lower one does, so the two can never be apart.
 */
export function SurveyMaps(props: SurveyMapsProps) {
  const { survey, edges, view, other, look, change, drawing, cameras } = props;
  const camera = useSignal<Camera | undefined>(undefined);
  const percent = useSignal(50);
  const { layer } = look.value;
  const right = sideText(survey, layer);
  if (other === undefined) {
    const picture = () => pictureOf(survey, look.value);
    return (
      <OneMap
        label={t("survey.map_label")}
        {...{ survey, edges, view, picture, camera, drawing, cameras }}
      />
    );
  }
  if (change.value !== undefined) {
    const both = inOrder(survey, other);
    const [from, to] = both.map((one) => show.dateTime(Date.parse(one.captured_at)));
    return (
      <OneMap
        key="change"
        label={t("survey.map_of_change", { from: from ?? "", to: to ?? "" })}
        picture={() => change.value && changePicture(both, change.value, look.value.opacity)}
        {...{ survey, edges, view, camera, drawing, cameras }}
      />
    );
  }
  const left = sideText(other, layer);
  const otherEdges = other.bounds ?? edges;
  return (
    <div class="swipe">
      <p class="swipe-words small">
        <span>{t("survey.left", { what: left })}</span>
        <span>{t("survey.right", { what: right })}</span>
      </p>
      <div class="swipe-box">
        <OneMap
          key={survey.id}
          label={t("survey.map_of_both", { left, right })}
          picture={() => pictureOf(survey, look.value)}
          {...{ survey, edges, view, camera, drawing, cameras }}
        />
        <div
          class="swipe-over"
          inert
          aria-hidden="true"
          style={{ clipPath: `inset(0 ${100 - percent.value}% 0 0)` }}
        >
          <OneMap
            key={other.id}
            label={left}
            survey={other}
            edges={otherEdges}
            picture={() => pictureOf(other, look.value)}
            camera={camera}
          />
        </div>
        <SwipeLine
          percent={percent}
          left={show.dateTime(Date.parse(other.captured_at))}
          right={show.dateTime(Date.parse(survey.captured_at))}
        />
      </div>
    </div>
  );
}

const sideText = (survey: Survey, layer: LayerLook["layer"]): string =>
  t("survey.side", {
    time: show.dateTime(Date.parse(survey.captured_at)),
    layer: layerText(survey, layer),
  });

interface OneMapProps {
  readonly label: string;
  readonly survey: Survey;
  readonly edges: SurveyEdges;
  readonly view?: Camera | undefined;
  /** Read in an effect: signals that it reads draw the map anew. */
  readonly picture: () => SurveyPicture | undefined;
  /** Where both maps look. */
  readonly camera: Signal<Camera | undefined>;
  /** Of the one that people move and draw on; absent: this one follows it. */
  readonly drawing?: ReadonlySignal<Drawing | undefined>;
  readonly cameras?: ReadonlySignal<CameraDots | undefined>;
}

function OneMap(props: OneMapProps) {
  const { label, survey, edges, view, picture, camera, drawing, cameras } = props;
  const isLeading = drawing !== undefined;

  function open(container: HTMLElement) {
    const map = new SurveyMap({
      container,
      theme: theme.peek(),
      base: baseMap.peek(),
      edges,
      zoomIn: t("map.zoom_in"),
      zoomOut: t("map.zoom_out"),
      onMove(now) {
        if (!isLeading) return;
        camera.value = now;
        seeFrom(now);
      },
    });
    const ends = [
      effect(() => map.setTheme(theme.value)),
      effect(() => map.setPicture(picture())),
      effect(() => {
        const { value } = camera;
        if (!isLeading && value !== undefined) map.look(value);
      }),
      effect(() => {
        const now = drawing?.value;
        return now === undefined ? undefined : drawOn(map, now);
      }),
      effect(() => {
        const dots = cameras?.value;
        return dots === undefined ? undefined : map.invite(dots);
      }),
    ];
    if (isLeading) {
      if (view !== undefined) map.look(view);
      camera.value = map.camera;
    }
    return { map, ends };
  }
  return <MapFrame label={label} all={t("survey.show_all")} subject={survey} open={open} />;
}
