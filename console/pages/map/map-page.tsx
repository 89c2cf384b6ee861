import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { FleetFilters } from "../../parts/fleet-filters.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { keepInAddress } from "../../state/address.ts";
import { filterOf, passes } from "../../state/fleet-filter.ts";
import { machines, machinesFailure } from "../../state/machines.ts";
import { MachineCard } from "./machine-card.tsx";
import { MachineList } from "./machine-list.tsx";
import { MapPane } from "./map-pane.tsx";

export function MapPage() {
  const selected = useSignal(new URLSearchParams(location.search).get("asset") ?? undefined);
  const isFollowing = useSignal(false);
  const filter = useSignal(filterOf(location.search));
  const found = useComputed(() =>
    (machines.value ?? []).filter((one) => passes(one, filter.value)),
  );
  const machine = machines.value?.find(({ id }) => id === selected.value);

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
          <MachineList found={found} selected={selected.value} onSelect={select} />
        </div>
      </div>
    </div>
  );
}
