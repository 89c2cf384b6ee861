import { type ReadonlySignal, type Signal, useComputed } from "@preact/signals";
import { show } from "../format/show.ts";
import { t } from "../i18n/t.ts";
import {
  CONNECTION_CHOICES,
  type Facet,
  type FleetFilter,
  facetCounts,
  isFiltering,
  keepFilter,
  MOVING_KMH,
  NO_FILTER,
  passes,
  STATUS_CHOICES,
  sameCounts,
  typesOf,
} from "../state/fleet-filter.ts";
import type { Machine } from "../state/machine.ts";
import { sameItems, useSame } from "../state/use-same.ts";
import { Select } from "./select.tsx";
import "./fleet-filters.css";

interface FleetFiltersProps {
  readonly filter: Signal<FleetFilter>;
  /** All of which the filter chooses; `undefined` before they are read. */
  readonly machines: ReadonlySignal<readonly Machine[] | undefined>;
  /** Name of the field for words. */
  readonly search: string;
}

/** Chooses machines by words, type, status and connection; each choice says how many machines it leaves. */
export function FleetFilters({ filter, machines, search }: FleetFiltersProps) {
  const chosen = filter.value;
  const counts = useSame(() => facetCounts(machines.value ?? [], filter.value), sameCounts).value;
  const types = useSame(() => typesOf(machines.value ?? [], filter.value.type), sameItems).value;

  function change(part: Partial<FleetFilter>) {
    filter.value = { ...filter.peek(), ...part };
    keepFilter(filter.peek());
  }

  function choices<T extends string>(
    facet: Facet,
    names: readonly (readonly [T, string])[],
  ): readonly (readonly [T | "", string])[] {
    const counted = (choice: string, name: string) =>
      t("filter.counted", { name, n: show.number(counts[facet].get(choice) ?? 0) });
    return [
      ["", counted("", t("machines.all"))],
      ...names.map(([choice, name]) => [choice, counted(choice, name)] as const),
    ];
  }

  return (
    <div class="fleet-filters">
      <label>
        <span class="hidden">{search}</span>
        <input
          type="search"
          placeholder={search}
          value={chosen.search}
          onInput={(event) => change({ search: event.currentTarget.value.trimStart() })}
        />
      </label>
      <label>
        {t("machines.type")}{" "}
        <Select
          value={chosen.type ?? ""}
          choices={choices(
            "type",
            types.map((type) => [type, type] as const),
          )}
          onChoose={(type) => change({ type: type || undefined })}
        />
      </label>
      <label>
        {t("machines.status")}{" "}
        <Select
          value={chosen.status ?? ""}
          choices={choices(
            "status",
            STATUS_CHOICES.map((one) => [one, statusName(one)] as const),
          )}
          onChoose={(status) => change({ status: status || undefined })}
        />
      </label>
      <label>
        {t("machines.connection")}{" "}
        <Select
          value={chosen.connection ?? ""}
          choices={choices(
            "connection",
            CONNECTION_CHOICES.map((one) => [one, t(`connection.${one}`)] as const),
          )}
          onChoose={(connection) => change({ connection: connection || undefined })}
        />
      </label>
      {isFiltering(chosen) ? <FilterResult {...{ filter, machines, change }} /> : null}
    </div>
  );
}

const statusName = (status: (typeof STATUS_CHOICES)[number]): string =>
  status === "moving"
    ? t("filter.moving", { speed: show.speed(MOVING_KMH) })
    : t(`status.${status}`);

interface FilterResultProps extends Pick<FleetFiltersProps, "filter" | "machines"> {
  readonly change: (part: FleetFilter) => void;
}

function FilterResult({ filter, machines, change }: FilterResultProps) {
  const all = useComputed(() => machines.value?.length ?? 0);
  const n = useComputed(
    () => (machines.value ?? []).filter((one) => passes(one, filter.value)).length,
  );
  return (
    <p class="small filter-result">
      <span role="status">
        {t("filter.result", { n: show.number(n.value), all: show.number(all.value) })}
      </span>{" "}
      <button type="button" onClick={() => change(NO_FILTER)}>
        {t("filter.reset")}
      </button>
    </p>
  );
}
