import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Link } from "wouter-preact";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { toPage } from "../../state/to-page.ts";
import {
  daySums,
  type Grouping,
  type HeatFigure,
  type HeatLine,
  heatOf,
  highestOf,
  sumOf,
} from "./heat-table.ts";
import { type SourceMix, saidShares } from "./source-mix.ts";

/** Lines at first, and how many more a button adds. */
const LINES = 100;
/** Share of the accent in the fullest cell, percent: with more, its text is less than 4.5 : 1. */
const FULL = 45;

interface HeatGridProps {
  readonly title: string;
  readonly grouping: Grouping;
  readonly lines: readonly HeatLine[];
  /** Calendar dates, ascending; the last one is today. */
  readonly days: readonly string[];
  readonly format: (value: number) => string;
  /** A lower cell is not shown as the fullest. */
  readonly fullAtLeast: number;
  /** Whether a cell is what other figures leave: its sources are theirs. */
  readonly isComputed: boolean;
  /** Whether every line is shown, as on paper. */
  readonly isWhole: Signal<boolean>;
}

/** Lines by days. The figure is written in every cell; its colour only helps to find the high ones. */
export function HeatGrid({
  title,
  grouping,
  lines,
  days,
  format,
  fullAtLeast,
  isComputed,
  isWhole,
}: HeatGridProps) {
  const lineCount = useSignal(LINES);
  const frame = useRef<HTMLElement>(null);
  const look = { format, isComputed };
  const highest = highestOf(lines, fullAtLeast);
  const sums = daySums(lines, days);
  const count = isWhole.value ? lines.length : lineCount.value;
  const rest = lines.length - count;
  // Paper has no button that shows the others, and the last line is the sum of all.
  useEffect(() => {
    const showAll = () => {
      isWhole.value = true;
    };
    addEventListener("beforeprint", showAll);
    return () => removeEventListener("beforeprint", showAll);
  }, []);
  // On a narrow screen the newest day is what one came for.
  useEffect(() => {
    frame.current?.scrollTo({ left: frame.current.scrollWidth });
  }, [days.length]);
  const heads = {
    asset: "fleet.machine",
    type: "fleet.type",
    project: "fleet.project",
  } as const;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the keyboard. */}
      <section ref={frame} class="heat" aria-label={title} tabIndex={0}>
        <table>
          <caption class="hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t(heads[grouping])}</th>
              {days.map((day, i) => (
                <th key={day} scope="col">
                  {show.day(day)}
                  {i === days.length - 1 ? (
                    <span class="muted block">{t("fleet.today")}</span>
                  ) : null}
                </th>
              ))}
              <th scope="col">{t("fleet.sum")}</th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, count).map((line) => (
              <tr key={line.id}>
                <th scope="row">
                  {grouping === "asset" ? (
                    <Link href={toPage(`/machines/${line.id}/use`)}>{line.name}</Link>
                  ) : (
                    line.name
                  )}
                  {line.type === undefined ? null : (
                    <span class="muted small block">{line.type}</span>
                  )}
                </th>
                {days.map((day) => (
                  <Cell
                    key={day}
                    figure={line.figureByDay.get(day)}
                    heat={heatOf(line.figureByDay.get(day), highest)}
                    {...look}
                  />
                ))}
                <Cell figure={line.sum} heat={0} {...look} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t("fleet.all")}</th>
              {days.map((day) => (
                <Cell key={day} figure={sums.get(day)} heat={0} {...look} />
              ))}
              <Cell figure={sumOf(lines.map(({ sum }) => sum))} heat={0} {...look} />
            </tr>
          </tfoot>
        </table>
      </section>
      {rest > 0 ? (
        <button
          type="button"
          class="no-print"
          onClick={() => {
            lineCount.value += LINES;
          }}
        >
          {t("fleet.more", { n: Math.min(rest, LINES) })}
        </button>
      ) : null}
    </>
  );
}

interface CellProps extends Pick<HeatGridProps, "format" | "isComputed"> {
  readonly figure: HeatFigure | undefined;
  readonly heat: number;
}

function Cell({ figure, heat, format, isComputed }: CellProps) {
  if (figure === undefined) return <td class="heat-none">{t("fleet.no_report")}</td>;
  const { value, lower, upper, knownDays, machineDays, mix } = figure;
  if (value === null) return <td class="heat-none">{t("fleet.unknown")}</td>;
  const [low, high] = [lower, upper].map((bound) => (bound === null ? undefined : format(bound)));
  const text = format(value);
  // Bounds that read as the figure itself say nothing more.
  const isExact = low === text && high === text;
  return (
    <td style={{ "--heat": `${Math.round(heat * FULL)}%` }}>
      {text}
      {isExact ? null : (
        <span class="muted heat-bounds">
          {low === undefined || high === undefined
            ? t("use.no_bounds")
            : t("use.bounds", { lower: low, upper: high })}
        </span>
      )}
      <span class="muted heat-bounds">{basisText(mix, isComputed)}</span>
      {knownDays === machineDays ? null : (
        <span class="muted heat-bounds">
          {t("fleet.partly", { known: knownDays, all: machineDays })}
        </span>
      )}
    </td>
  );
}

function basisText(mix: SourceMix, isComputed: boolean): string {
  const said = saidShares(mix).map(({ source, percent }) =>
    percent === undefined
      ? t(`use.basis.${source}`)
      : t("fleet.share", { percent: show.percent(percent), basis: t(`use.basis.${source}`) }),
  );
  return isComputed ? t("fleet.computed", { basis: said.join(", ") }) : said.join(", ");
}
