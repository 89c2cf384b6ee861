import { computed, signal } from "@preact/signals";
import type { components } from "../../client/index.ts";
import { api } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import { type Outcome, outcomeOf } from "../api/outcome.ts";
import { fleet } from "./fleet.ts";
import { type Machine, machineOf } from "./machine.ts";
import { projectId } from "./project.ts";

type Asset = components["schemas"]["Asset"];

const PAGE = 100;
/**
 * How often the list is read again, ms: names, zones and working time change slowly, positions come by the live
 * stream. Shorter is a page of 100 machines more often for each open console.
 */
const EVERY_MS = 60_000;
/** Pause before a machine that the list lacks is looked for, ms: several that come at once are one request. */
const UNKNOWN_MS = 1_000;

const assets = signal<readonly Asset[] | undefined>(undefined);
export const machinesFailure = signal<Failure | undefined>(undefined);

/** The machines of the chosen project by name, each as the live stream has it now; `undefined` before the first. */
export const machines = computed<readonly Machine[] | undefined>(() => {
  const { rows } = fleet.value;
  return assets.value?.map((asset) => machineOf(asset, rows.get(asset.id)));
});

/** Names of the machines of the chosen project by their ids. */
export const machineNames = computed<ReadonlyMap<string, string>>(
  () => new Map(machines.value?.map(({ id, name }) => [id, name])),
);

/** Name of a machine; its id where it is gone or not of this project. */
export const machineName = (id: string): string => machineNames.value.get(id) ?? id;

const changes = signal(0);

/** Reads the list anew, after a change of one that was made here. */
export function readMachinesAgain(): void {
  changes.value += 1;
}

/** Follows the list of machines, of the chosen project at each time; yields what ends it. */
export function followMachines(): () => void {
  let reads = 0;
  const read = async () => {
    reads += 1;
    const own = reads;
    const found = await readAssets(projectId.peek());
    // The project changed meanwhile.
    if (own !== reads) return;
    machinesFailure.value = "failure" in found ? found.failure : undefined;
    if ("value" in found) assets.value = found.value;
  };
  const timer = setInterval(() => void read(), EVERY_MS);
  let unknown: ReturnType<typeof setTimeout> | undefined;
  let count = -1;
  let seen = changes.peek();
  const ends = [
    projectId.subscribe(() => {
      assets.value = undefined;
      void read();
    }),
    changes.subscribe((change) => {
      if (change !== seen) void read();
      seen = change;
    }),
    fleet.subscribe(({ rows }) => {
      if (rows.size === count) return;
      count = rows.size;
      clearTimeout(unknown);
      unknown = setTimeout(() => void read(), UNKNOWN_MS);
    }),
  ];
  return () => {
    reads += 1;
    clearInterval(timer);
    clearTimeout(unknown);
    for (const end of ends) end();
    assets.value = undefined;
  };
}

async function readAssets(project: string | undefined): Promise<Outcome<readonly Asset[]>> {
  const list: Asset[] = [];
  for (;;) {
    const outcome = await outcomeOf(
      api.GET("/api/v1/equipment/assets", {
        params: {
          query: {
            limit: PAGE,
            offset: list.length,
            ...(project === undefined ? {} : { project_id: project }),
          },
        },
      }),
    );
    if ("failure" in outcome) return outcome;
    list.push(...outcome.value.data);
    if (outcome.value.pagination?.has_more !== true) break;
  }
  return { value: list.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })) };
}
