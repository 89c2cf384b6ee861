import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { show } from "../../format/show.ts";
import { locale, t, tn } from "../../i18n/t.ts";
import { tickTimes } from "../../parts/chart/tick-times.ts";
import { projects } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { zone } from "../../state/zone.ts";
import type { ListedSurvey } from "./requests.ts";
import { axisOf, type Lane, lanesOf, type TimeAxis } from "./time-line.ts";
import { sourceText } from "./words.ts";

/** Lines that are drawn: more push the table out of sight, and it has all of them. */
const LANES = 8;
/** Shape of the mark by what a survey was made for. */
const SHAPES = {
  stockpile_measurement: "pile",
  progress_capture: "progress",
  survey: "flight",
} as const satisfies Record<ListedSurvey["source"]["kind"], string>;

/**
 * When which ground was surveyed: a line for each, a mark for each survey. A press on a mark leads to it; by keyboard and
 * for who does not see it the table has the same.
 */
export function TimeLine({ surveys }: { readonly surveys: readonly ListedSurvey[] }) {
  const drawn = useRef<HTMLDivElement>(null);
  const [, go] = useLocation();

  useEffect(() => {
    const { current } = drawn;
    if (current === null) return undefined;
    const open = ({ target }: MouseEvent) => {
      const id = target instanceof HTMLElement ? target.dataset["survey"] : undefined;
      if (id !== undefined) go(toPage(`/surveys/${id}`));
    };
    current.addEventListener("click", open);
    return () => current.removeEventListener("click", open);
  }, []);

  const lanes = lanesOf(surveys);
  const axis = axisOf(surveys, zone.value);
  const names = namesOf(lanes);
  const label = t("surveys.timeline_label", {
    surveys: tn("surveys.timeline_n", surveys.length),
    grounds: tn("surveys.timeline_grounds", lanes.length),
    from: show.date(axis.fromMs),
    to: show.date(axis.toMs),
  });
  return (
    <figure class="timeline-figure">
      <div ref={drawn} class="timeline" role="img" aria-label={label}>
        {lanes.slice(0, LANES).map((lane, i) => (
          <DrawnLane key={lane.key} lane={lane} name={names[i] ?? ""} axis={axis} />
        ))}
        <Ticks axis={axis} />
      </div>
      <figcaption class="muted small">
        {t("surveys.timeline_hint")}
        {lanes.length > LANES ? ` ${tn("surveys.timeline_rest", lanes.length - LANES)}` : ""}
      </figcaption>
    </figure>
  );
}

/** With the project where there are several: two may have the same material at the same place. */
function namesOf(lanes: readonly Lane<ListedSurvey>[]): readonly string[] {
  const isOne = new Set(lanes.map(({ surveys: [first] }) => first?.project_id)).size < 2;
  return lanes.map(({ surveys: [survey] }) => {
    if (survey === undefined) return "";
    const project = projects.value.find(({ id }) => id === survey.project_id)?.name;
    return isOne ? sourceText(survey) : `${sourceText(survey)} · ${project ?? survey.project_id}`;
  });
}

interface DrawnLaneProps {
  readonly lane: Lane<ListedSurvey>;
  readonly name: string;
  readonly axis: TimeAxis;
}

function DrawnLane({ lane, name, axis }: DrawnLaneProps) {
  return (
    <div class="timeline-lane">
      <span class="timeline-name">{name}</span>
      <div class="timeline-track">
        {lane.surveys.map(({ id, captured_at, source, bounds }) => {
          const ms = Date.parse(captured_at);
          const isGone = bounds === null;
          return (
            <span
              key={id}
              class={`timeline-mark timeline-${SHAPES[source.kind]}${isGone ? " timeline-gone" : ""}`}
              style={{ left: `${axis.placeOf(ms)}%` }}
              title={isGone ? `${show.dateTime(ms)} · ${t("surveys.gone")}` : show.dateTime(ms)}
              data-survey={id}
            />
          );
        })}
      </div>
    </div>
  );
}

function Ticks({ axis: { ticks, stepMs, placeOf } }: { readonly axis: TimeAxis }) {
  const isOfDays = stepMs >= 86_400_000;
  const labels = isOfDays
    ? ticks.map((ms) => show.date(ms))
    : tickTimes(ticks, stepMs, locale.value, zone.value);
  return (
    <div class="timeline-axis">
      {ticks.map((ms, i) => (
        <span key={ms} class="timeline-tick" style={{ left: `${placeOf(ms)}%` }}>
          {labels[i]}
        </span>
      ))}
    </div>
  );
}
