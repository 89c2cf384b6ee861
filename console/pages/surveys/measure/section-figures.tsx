import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { isDrawn } from "../../../map/drawing/draft.ts";
import { Fact } from "../../../parts/facts.tsx";
import { SectionChart } from "../../../parts/section/section-chart.tsx";
import { useFollowing } from "../../../state/use-following.ts";
import type { Drawing } from "../../fences/drawing.ts";
import type { Survey } from "../requests.ts";
import { intervalShown, scaleInterval95, withInterval } from "./figures.ts";
import { FollowingState } from "./following-state.tsx";
import { HeightBasis } from "./place-figures.tsx";
import { readSection } from "./read-section.ts";
import { gapsOf, MOST_CORNERS, type Section } from "./section.ts";

interface SectionFiguresProps {
  readonly survey: Pick<Survey, "id" | "accuracy">;
  readonly drawing: Drawing;
  /** Id of a survey whose heights are shown beside; absent: none. */
  readonly compareWith?: string | undefined;
}

/** Length of a line, and the heights of the surface along it. */
export function SectionFigures({ survey, drawing, compareWith }: SectionFiguresProps) {
  const draft = drawing.draft.value;
  const isLong = draft.points.length > MOST_CORNERS;
  const isReady = isDrawn(draft) && !isLong;
  const following = useFollowing(
    isReady ? JSON.stringify([survey.id, draft.points, compareWith]) : undefined,
    (signal) => readSection(survey.id, draft.points, compareWith, signal),
  );
  const section = following.data.value;
  return (
    <>
      <FollowingState following={following} />
      {isLong ? (
        <p class="notice notice-bad" role="alert">
          {t("measure.line_long", { n: show.number(MOST_CORNERS) })}
        </p>
      ) : null}
      {isDrawn(draft) ? null : <p class="muted small">{t("measure.line_empty")}</p>}
      {section === undefined ? null : (
        <div class="stack" aria-busy={following.isBehind.value}>
          <Figures section={section} survey={survey} />
          <Chart section={section} />
          {section.warnings.map((warning) => (
            <p key={warning} class="notice">
              {warning}
            </p>
          ))}
        </div>
      )}
    </>
  );
}

interface FiguresProps {
  readonly section: Section;
  readonly survey: Pick<Survey, "accuracy">;
}

function Figures({ section, survey }: FiguresProps) {
  const { lengthM, riseM, slopePercent, source } = section;
  const percent = scaleInterval95(survey);
  return (
    <dl class="facts measure-facts">
      <Fact name={t("measure.length")}>
        <span class="measure-main">
          {withInterval(
            show.height(lengthM),
            percent === null ? null : intervalShown((lengthM * percent) / 100),
          )}
        </span>
        <span class="muted small block">
          {t(percent === null ? "measure.length_bare" : "measure.length_basis")}
        </span>
      </Fact>
      <Fact name={t("measure.rise")}>
        {riseM === null
          ? t("measure.rise_unknown")
          : withInterval(show.height(riseM), intervalShown(source.relative_95_m))}
      </Fact>
      <Fact name={t("measure.slope")}>
        {slopePercent === null ? t("value.unknown") : show.tenth(slopePercent)}
      </Fact>
      <Fact name={t("measure.heights")}>
        {source.uncertainty_95_m === null
          ? t("measure.heights_unknown")
          : t("measure.plus_minus", { interval: intervalShown(source.uncertainty_95_m) ?? "" })}
      </Fact>
      <HeightBasis source={source} />
    </dl>
  );
}

function Chart({ section }: { readonly section: Section }) {
  const { points, source, comparedWith } = section;
  const known = points.flatMap(({ heightM }) => (heightM === null ? [] : [heightM]));
  const gaps = gapsOf(points);
  const words = [
    known.length === 0
      ? t("section.none")
      : t("section.from_to", {
          low: show.height(Math.min(...known)),
          high: show.height(Math.max(...known)),
        }),
    gaps.length === 0
      ? ""
      : tn("section.gaps", gaps.length, {
          from: show.height(gaps[0]?.fromM ?? 0),
          to: show.height(gaps[0]?.toM ?? 0),
        }),
  ];
  const nameOf = ({ captured_at }: { readonly captured_at: string }) =>
    t("pile.survey_of", { time: show.dateTime(Date.parse(captured_at)) });
  return (
    <SectionChart
      title={t("section.title")}
      message={words.filter((one) => one !== "").join(" ")}
      distancesM={points.map(({ distanceM }) => distanceM)}
      lines={[
        { key: "own", name: nameOf(source), heightsM: points.map(({ heightM }) => heightM) },
        ...(comparedWith === null
          ? []
          : [
              {
                key: "other" as const,
                name: nameOf(comparedWith),
                heightsM: points.map(({ comparedM }) => comparedM),
              },
            ]),
      ]}
    />
  );
}
