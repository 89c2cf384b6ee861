import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { brokenLine } from "./section-paths.ts";
import "./section.css";

const [WIDTH, HEIGHT] = [420, 220];
/** Room of the labels, units of the drawing. */
const [LEFT, RIGHT, TOP, BOTTOM] = [84, 14, 12, 30];
/** Share of the axis that stays empty above and below. */
const ROOM = 0.08;
/** Least height of the axis, metres: a flat yard is not drawn as mountains of centimetres. */
const LEAST_SPAN_M = 0.5;

interface SectionLine {
  readonly key: "own" | "other";
  readonly name: string;
  /** By point of the section, metres; `null`: no height. */
  readonly heightsM: readonly (number | null)[];
}

interface SectionChartProps {
  readonly title: string;
  /** What the lines say, in words. */
  readonly message: string;
  /** From the start, metres, ascending. */
  readonly distancesM: readonly number[];
  readonly lines: readonly SectionLine[];
}

/** Heights along a line, with gaps as gaps, and all of them as a table behind a button. */
export function SectionChart(props: SectionChartProps) {
  const { title, message, lines } = props;
  const isTable = useSignal(false);
  const id = useId();
  return (
    <figure class="section-chart stack">
      <figcaption class="small">{message}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}. ${message}`}>
        <Drawing {...props} />
      </svg>
      {lines.length < 2 ? null : (
        <ul class="section-legend small">
          {lines.map(({ key, name }) => (
            <li key={key}>
              <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
                <path class={`section-${key}`} d="M0 4H28" />
              </svg>{" "}
              {name}
            </li>
          ))}
        </ul>
      )}
      <button
        type="button"
        class="no-print section-button"
        aria-expanded={isTable.value}
        aria-controls={id}
        onClick={() => {
          isTable.value = !isTable.peek();
        }}
      >
        {t(isTable.value ? "chart.table_hide" : "chart.table_show")}
      </button>
      <div id={id}>{isTable.value ? <SectionTable {...props} /> : null}</div>
    </figure>
  );
}

function Drawing({ distancesM, lines }: SectionChartProps) {
  const known = lines.flatMap(({ heightsM }) => heightsM.filter((height) => height !== null));
  const length = distancesM.at(-1) ?? 0;
  if (known.length === 0 || length === 0) return null;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const room = Math.max((most - least) * ROOM, (LEAST_SPAN_M - (most - least)) / 2);
  const [low, high] = [least - room, most + room];
  const x = (metres: number) => LEFT + ((WIDTH - LEFT - RIGHT) * metres) / length;
  const y = (metres: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - metres)) / (high - low);
  return (
    <>
      {[least, (least + most) / 2, most].map((height, i) => (
        // Of level ground all three are the same height.
        <g key={i}>
          <line class="section-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(height)} y2={y(height)} />
          {most - least < room && i !== 1 ? null : (
            <text class="section-axis" x={LEFT - 6} y={y(height) + 4} text-anchor="end">
              {show.height(height)}
            </text>
          )}
        </g>
      ))}
      {[0, length / 2, length].map((metres, i) => (
        <text
          key={metres}
          class="section-axis"
          x={x(metres)}
          y={HEIGHT - 8}
          text-anchor={(["start", "middle", "end"] as const)[i]}
        >
          {show.height(metres)}
        </text>
      ))}
      {lines.map(({ key, heightsM }) => {
        const { path, alone } = brokenLine(
          heightsM.map((height, i) => ({
            x: x(distancesM[i] ?? 0),
            y: height === null ? null : y(height),
          })),
        );
        return (
          <g key={key}>
            <path class={`section-${key}`} d={path} />
            {alone.map((point) => (
              <circle
                key={point.x}
                class={`section-dot-${key}`}
                cx={point.x}
                cy={point.y}
                r="2.5"
              />
            ))}
          </g>
        );
      })}
    </>
  );
}

function SectionTable({ title, distancesM, lines }: SectionChartProps) {
  return (
    <section
      class="section-table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the keyboard.
      tabIndex={0}
      aria-label={t("chart.table_of", { title })}
    >
      <table class="table">
        <caption class="hidden">{t("chart.table_of", { title })}</caption>
        <thead>
          <tr>
            <th scope="col">{t("section.distance")}</th>
            {lines.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {distancesM.map((metres, i) => (
            <tr key={metres}>
              <th scope="row">{show.height(metres)}</th>
              {lines.map(({ key, name, heightsM }) => {
                const height = heightsM[i] ?? null;
                return (
                  <td key={key} data-label={name}>
                    {height === null ? t("section.no_height") : show.height(height)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
