import { effect, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { FleetFilters } from "../../parts/fleet-filters.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { keepInAddress } from "../../state/address.ts";
import { readFences } from "../../state/fences.ts";
import { filterOf, passes } from "../../state/fleet-filter.ts";
import { followGround } from "../../state/ground.ts";
import { machines, machinesFailure } from "../../state/machines.ts";
import { mapLayers } from "../../state/map-layers.ts";
import { projectId, projects } from "../../state/project.ts";
import { stockpiles, workZones } from "../../state/site-places.ts";
import { LayerSwitch } from "./layer-switch.tsx";
import { MachineCard } from "./machine-card.tsx";
import { MachineList } from "./machine-list.tsx";
import "./map.css";
import { MapPane } from "./map-pane.tsx";

export function MapPage() {
  const selected = useSignal(new URLSearchParams(location.search).get("asset") ?? undefined);
  const isFollowing = useSignal(false);
  const asked = useSignal<readonly (readonly number[])[] | undefined>(undefined);
  const filter = useSignal(filterOf(location.search));
  const found = useComputed(() =>
    (machines.value ?? []).filter((one) => passes(one, filter.value)),
  );
  const machine = machines.value?.find(({ id }) => id === selected.value);

  useEffect(() => {
    keepInAddress("asset", selected.value);
  }, [selected.value]);

  // Here, not with the map: the list has them too where no map can be drawn.
  useEffect(() => effect(readLayers), []);
  useEffect(followGround, []);

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
      <MapPane
        machines={found}
        selected={selected}
        isFollowing={isFollowing}
        asked={asked}
        onSelect={select}
      />
      <div class="map-side">
        <PageHead title={t("map.title")} />
        {machine === undefined ? null : (
          <MachineCard
            machine={machine}
            isLeftOut={!passes(machine, filter.value)}
            isFollowing={isFollowing.value}
            onFollow={() => {
              isFollowing.value = !isFollowing.peek();
            }}
            onClose={() => select(undefined)}
          />
        )}
        <div class="map-lists">
          <FleetFilters filter={filter} machines={machines.value ?? []} search={t("map.search")} />
          {machinesFailure.value === undefined ? null : (
            <FailureNotice failure={machinesFailure.value} />
          )}
          {machines.value === undefined && machinesFailure.value === undefined ? <Loading /> : null}
          {machines.value?.length === 0 ? (
            <Empty title={t("machines.empty")}>{t("machines.empty_hint")}</Empty>
          ) : null}
          <LayerSwitch
            onShow={(corners) => {
              isFollowing.value = false;
              // Another list each time: who asks again wants to see it again.
              asked.value = [...corners];
            }}
          />
          <MachineList found={found} selected={selected.value} onSelect={select} />
        </div>
      </div>
    </div>
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
