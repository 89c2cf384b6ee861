import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t, tn } from "../../i18n/t.ts";
import { reveal } from "../../parts/reveal.ts";
import { ShownStatus } from "../../parts/status-badge.tsx";
import { Age } from "../../parts/time.tsx";
import { notLiveSince } from "../../state/fleet.ts";
import type { Machine } from "../../state/machine.ts";
import { now } from "../../state/now.ts";
import { useSame } from "../../state/use-same.ts";
import { isSameList, type Listed, listedOf, type MachineRow } from "./listed.ts";

/** Rows of the list at first, and how many more a button adds. */
const ROWS = 200;

interface MachineListProps {
  readonly found: ReadonlySignal<readonly Machine[]>;
  readonly selected: Signal<string | undefined>;
  /** The same function at each render, or every row is rendered with it. */
  readonly onSelect: (id: string) => void;
}

/** The machines of the map in words. The chosen one is always among them, and in sight when it is chosen. */
export function MachineList({ found, selected, onSelect }: MachineListProps) {
  const list = useRef<HTMLUListElement>(null);
  const count = useSignal(ROWS);
  const listed = useSame<Listed>(
    (before) =>
      listedOf(
        found.value,
        {
          count: count.value,
          chosenId: selected.value,
          isLive: notLiveSince.value === null,
          nowMs: now.value,
        },
        before,
      ),
    isSameList,
  );
  const { first, chosen, between, rest, all } = listed.value;
  const isListed = chosen !== undefined || first.some(({ id }) => id === selected.value);

  // Once for each choice: who scrolls on afterwards is left alone.
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    const root = list.current?.closest<HTMLElement>(".map-side");
    if (row && root) reveal(row, root);
  }, [selected.value, isListed]);

  return (
    <>
      <ul ref={list} class="machine-list" aria-label={t("map.list")}>
        {first.map((row) => (
          <ListRow
            key={row.id}
            row={row}
            isSelected={row.id === selected.value}
            onSelect={onSelect}
          />
        ))}
        {between === 0 ? null : (
          <li key="between" class="muted small">
            {tn("map.between", between)}
          </li>
        )}
        {chosen === undefined ? null : (
          <ListRow key={chosen.id} row={chosen} isSelected onSelect={onSelect} />
        )}
      </ul>
      {rest > 0 ? (
        <p class="small">
          {t("map.listed", { n: all - rest, all })}{" "}
          <button
            type="button"
            onClick={() => {
              count.value += ROWS;
            }}
          >
            {t("map.more", { n: Math.min(rest, ROWS) })}
          </button>
        </p>
      ) : null}
    </>
  );
}

interface ListRowProps {
  readonly row: MachineRow;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

/** Rendered again when its row is another object. */
function ListRow({ row, isSelected, onSelect }: ListRowProps) {
  const { id, name, isRegisteredPlace, seenMs } = row;
  return (
    <li>
      <button
        type="button"
        class="machine-row"
        aria-pressed={isSelected}
        onClick={() => onSelect(id)}
      >
        <span class="machine-name">{name}</span>
        <ShownStatus shown={row} />
        {isRegisteredPlace ? <span class="muted small">{t("place.registered")}</span> : null}
        {seenMs === undefined ? null : (
          <span class="muted small">
            {t("map.seen")} <Age ms={seenMs} />
          </span>
        )}
      </button>
    </li>
  );
}
