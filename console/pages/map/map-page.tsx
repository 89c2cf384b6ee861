import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { StatusBadge } from "../../parts/status-badge.tsx";
import { Age } from "../../parts/time.tsx";
import { keepInAddress } from "../../state/address.ts";
import { notLiveSince } from "../../state/fleet.ts";
import type { Machine } from "../../state/machine.ts";
import { machines, machinesFailure } from "../../state/machines.ts";
import { now } from "../../state/now.ts";
import { matches } from "../machines/sort.ts";
import { MachineCard } from "./machine-card.tsx";
import { MapPane } from "./map-pane.tsx";

/** Age of a position from which a list says it, ms: devices report every few seconds, some every minute. */
const STALE_MS = 60_000;
/** Rows of the list at first, and how many more a button adds. */
const ROWS = 200;

export function MapPage() {
  const selected = useSignal(new URLSearchParams(location.search).get("asset") ?? undefined);
  const isFollowing = useSignal(false);
  const search = useSignal("");
  const count = useSignal(ROWS);
  const found = useComputed(() =>
    (machines.value ?? []).filter((machine) => matches(machine, search.value)),
  );
  const machine = machines.value?.find(({ id }) => id === selected.value);
  const rest = found.value.length - count.value;

  useEffect(() => {
    keepInAddress("asset", selected.value);
  }, [selected.value]);

  function select(id: string | undefined) {
    selected.value = id;
    isFollowing.value = false;
  }

  if (!may("equipment:read")) {
    return (
      <div class="page">
        <PageHead title={t("map.title")} />
        <Empty title={t("live.scope", { scope: "equipment:read" })} />
      </div>
    );
  }
  return (
    <div class="map-page">
      <MapPane machines={found} selected={selected} isFollowing={isFollowing} onSelect={select} />
      <div class="map-side">
        <PageHead title={t("map.title")} />
        {machine === undefined ? null : (
          <MachineCard
            machine={machine}
            isFollowing={isFollowing.value}
            onFollow={() => {
              isFollowing.value = !isFollowing.peek();
            }}
            onClose={() => select(undefined)}
          />
        )}
        <label>
          <span class="hidden">{t("map.search")}</span>
          <input
            type="search"
            placeholder={t("map.search")}
            onInput={(event) => {
              search.value = event.currentTarget.value.trim();
            }}
          />
        </label>
        {machinesFailure.value === undefined ? null : (
          <FailureNotice failure={machinesFailure.value} />
        )}
        {machines.value === undefined && machinesFailure.value === undefined ? <Loading /> : null}
        {machines.value?.length === 0 ? (
          <Empty title={t("machines.empty")}>{t("machines.empty_hint")}</Empty>
        ) : null}
        <ul class="machine-list" aria-label={t("map.list")}>
          {found.value.slice(0, count.value).map((one) => (
            <ListRow
              key={one.id}
              machine={one}
              isSelected={one.id === selected.value}
              onSelect={() => select(one.id)}
            />
          ))}
        </ul>
        {rest > 0 ? (
          <p class="small">
            {t("map.listed", { n: count.value, all: found.value.length })}{" "}
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
      </div>
    </div>
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
