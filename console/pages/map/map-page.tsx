import { effect, type ReadonlySignal, type Signal, useComputed, useSignal } from "@preact/signals";
import { useCallback, useEffect } from "preact/hooks";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { FleetFilters } from "../../parts/fleet-filters.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { keepInAddress } from "../../state/address.ts";
import { readFences } from "../../state/fences.ts";
import { type FleetFilter, filterOf, passes } from "../../state/fleet-filter.ts";
import { followGround } from "../../state/ground.ts";
import { listedAssets, machines, machinesFailure } from "../../state/machines.ts";
import { mapLayers } from "../../state/map-layers.ts";
import { projectId, projects } from "../../state/project.ts";
import { stockpiles, workZones } from "../../state/site-places.ts";
import { LayerSwitch } from "./layer-switch.tsx";
import { MachineCard } from "./machine-card.tsx";
import { MachineList } from "./machine-list.tsx";
import "./map.css";
import { MapPane } from "./map-pane.tsx";

/** The page is rendered when something is chosen; what follows positions does so in components of its own. */
export function MapPage() {
  const selected = useSignal(new URLSearchParams(location.search).get("asset") ?? undefined);
  const isFollowing = useSignal(false);
  const asked = useSignal<readonly (readonly number[])[] | undefined>(undefined);
  const filter = useSignal(filterOf(location.search));
  const found = useComputed(() =>
    (machines.value ?? []).filter((one) => passes(one, filter.value)),
  );

  useEffect(() => {
    keepInAddress("asset", selected.value);
  }, [selected.value]);

  // Here, not with the map: the list has them too where no map can be drawn.
  useEffect(() => effect(readLayers), []);
  useEffect(followGround, []);

  const select = useCallback((id: string | undefined) => {
    selected.value = id;
    isFollowing.value = false;
  }, []);

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
      <MapPane
        machines={found}
        selected={selected}
        isFollowing={isFollowing}
        asked={asked}
        onSelect={select}
      />
      <div class="map-side">
        <PageHead title={t("map.title")} />
        <ChosenMachine {...{ selected, filter, isFollowing }} onClose={() => select(undefined)} />
        <div class="map-lists">
          <FleetFilters filter={filter} machines={machines} search={t("map.search")} />
          {machinesFailure.value === undefined ? null : (
            <FailureNotice failure={machinesFailure.value} />
          )}
          {listedAssets.value === undefined && machinesFailure.value === undefined ? (
            <Loading />
          ) : null}
          {listedAssets.value?.length === 0 ? (
            <Empty title={t("machines.empty")}>{t("machines.empty_hint")}</Empty>
          ) : null}
          <LayerSwitch
            onShow={(corners) => {
              isFollowing.value = false;
              // Another list each time: who asks again wants to see it again.
              asked.value = [...corners];
            }}
          />
          <MachineList found={found} selected={selected} onSelect={select} />
        </div>
      </div>
    </div>
  );
}

interface ChosenMachineProps {
  readonly selected: ReadonlySignal<string | undefined>;
  readonly filter: ReadonlySignal<FleetFilter>;
  readonly isFollowing: Signal<boolean>;
  readonly onClose: () => void;
}

/** The card of the chosen machine, as each position has it. */
function ChosenMachine({ selected, filter, isFollowing, onClose }: ChosenMachineProps) {
  const chosen = useComputed(() =>
    selected.value === undefined
      ? undefined
      : machines.value?.find(({ id }) => id === selected.value),
  );
  const machine = chosen.value;
  if (machine === undefined) return null;
  return (
    <MachineCard
      machine={machine}
      isLeftOut={!passes(machine, filter.value)}
      isFollowing={isFollowing.value}
      onFollow={() => {
        isFollowing.value = !isFollowing.peek();
      }}
      onClose={onClose}
    />
  );
}

/** Reads what the layers that are on show, of the chosen project or of all. */
function readLayers() {
  const project = projectId.value;
  const on = mapLayers.value;
  // Whether or not their layer is on: the card has the names of those that a machine is in.
  if (may("equipment:read")) void readFences(project);
  const ids = project === undefined ? projects.value.map(({ id }) => id) : [project];
  if (ids.length === 0) return;
  if (on.has("zones") && may("progress:read")) void workZones.read(ids);
  if (on.has("piles") && may("materials:read")) void stockpiles.read(ids);
}
