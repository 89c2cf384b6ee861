import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t, tn } from "../../i18n/t.ts";
import { reveal } from "../../parts/reveal.ts";
import { StatusBadge } from "../../parts/status-badge.tsx";
import { Age } from "../../parts/time.tsx";
import { notLiveSince } from "../../state/fleet.ts";
import type { Machine } from "../../state/machine.ts";
import { now } from "../../state/now.ts";
import { listedOf } from "./listed.ts";

/** Age of a position from which a list says it, ms: devices report every few seconds, some every minute. */
const STALE_MS = 60_000;
/** Rows of the list at first, and how many more a button adds. */
const ROWS = 200;

interface MachineListProps {
  readonly found: ReadonlySignal<readonly Machine[]>;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

/** The machines of the map in words. The chosen one is always among them, and in sight when it is chosen. */
export function MachineList({ found, selected, onSelect }: MachineListProps) {
  const list = useRef<HTMLUListElement>(null);
  const count = useSignal(ROWS);
  const { first, chosen, between, rest } = listedOf(found.value, count.value, selected);
  const isListed = found.value.some(({ id }) => id === selected);

  // Once for each choice: who scrolls on afterwards is left alone.
  useLayoutEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    const root = list.current?.closest<HTMLElement>(".map-side");
    if (row && root) reveal(row, root);
  }, [selected, isListed]);

  return (
    <>
      <ul ref={list} class="machine-list" aria-label={t("map.list")}>
        {first.map((one) => (
          <ListRow
            key={one.id}
            machine={one}
            isSelected={one.id === selected}
            onSelect={() => onSelect(one.id)}
          />
        ))}
        {between === 0 ? null : (
          <li key="between" class="muted small">
            {tn("map.between", between)}
          </li>
        )}
        {chosen === undefined ? null : (
          <ListRow key={chosen.id} machine={chosen} isSelected onSelect={() => undefined} />
        )}
      </ul>
      {rest > 0 ? (
        <p class="small">
          {t("map.listed", { n: found.value.length - rest, all: found.value.length })}{" "}
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
  readonly machine: Machine;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
}

function ListRow({ machine, isSelected, onSelect }: ListRowProps) {
  const { fixMs, isRegisteredPlace } = machine;
  const isOld = fixMs !== undefined && now.value - fixMs > STALE_MS;
  const isLive = notLiveSince.value === null;
  return (
    <li>
      <button type="button" class="machine-row" aria-pressed={isSelected} onClick={onSelect}>
        <span class="machine-name">{machine.name}</span>
        <StatusBadge machine={machine} />
        {isRegisteredPlace ? <span class="muted small">{t("place.registered")}</span> : null}
        {fixMs !== undefined && (isOld || !isLive) ? (
          <span class="muted small">
            {t("map.seen")} <Age ms={fixMs} />
          </span>
        ) : null}
      </button>
    </li>
  );
}
