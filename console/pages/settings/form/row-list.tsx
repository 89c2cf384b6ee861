import type { ComponentChildren } from "preact";
import { t } from "../../../i18n/t.ts";

interface RowListProps<R> {
  readonly title: string;
  readonly addLabel: string;
  /** What a row is called, from 1. */
  readonly nameOf: (n: number) => string;
  readonly empty: R;
  readonly rows: readonly R[];
  readonly onRows: (rows: readonly R[]) => void;
  readonly children: (row: R, i: number, change: (part: Partial<R>) => void) => ComponentChildren;
}

/** Rows of a form, each with its fields; one is added at the end, and each can be removed. */
export function RowList<R extends object>(props: RowListProps<R>) {
  const { title, addLabel, nameOf, empty, rows, onRows, children } = props;
  return (
    <fieldset class="set-rows">
      <legend>{title}</legend>
      {rows.map((row, i) => (
        // Rows have no name before somebody types one, and are not moved.
        <fieldset key={i} class="set-row" aria-label={nameOf(i + 1)}>
          {children(row, i, (part) =>
            onRows(rows.map((one, at) => (at === i ? { ...one, ...part } : one))),
          )}
          <button
            type="button"
            aria-label={t("set.remove_named", { name: nameOf(i + 1) })}
            onClick={() => onRows(rows.filter((_, at) => at !== i))}
          >
            {t("set.remove")}
          </button>
        </fieldset>
      ))}
      <div>
        <button type="button" onClick={() => onRows([...rows, empty])}>
          {addLabel}
        </button>
      </div>
    </fieldset>
  );
}
