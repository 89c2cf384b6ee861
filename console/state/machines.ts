import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { components } from "../../client/index.ts";
import { api } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import { type Outcome, outcomeOf } from "../api/outcome.ts";
import { fleet } from "./fleet.ts";
import { type Machine, machineOf } from "./machine.ts";
import { projectId } from "./project.ts";

type Asset = components["schemas"]["Asset"];

/**
 * How often the list is read again, ms: names, zones and working time change slowly, positions come by the live
 * stream. Shorter is the whole list more often for each open console, or a 304.
 */
const EVERY_MS = 60_000;
/** Pause before a machine that the list lacks is looked for, ms: several that come at once are one request. */
const UNKNOWN_MS = 1_000;

/** One for all comparisons: `localeCompare` with options makes one for each, 35 ms for the names of 1,000 machines. */
const names = new Intl.Collator(undefined, { numeric: true });

const assets = signal<readonly Asset[] | undefined>(undefined);
/** The machines of the chosen project by name, as the list has them: names and types, which no position changes. */
export const listedAssets: ReadonlySignal<readonly Asset[] | undefined> = assets;
export const machinesFailure = signal<Failure | undefined>(undefined);

/** The machines of the chosen project by name, each as the live stream has it now; `undefined` before the first. */
export const machines = computed<readonly Machine[] | undefined>(() => {
  const { rows } = fleet.value;
  return assets.value?.map((asset) => machineOf(asset, rows.get(asset.id)));
});

/** Names of the machines of the chosen project by their ids. */
export const machineNames = computed<ReadonlyMap<string, string>>(
  () => new Map(assets.value?.map(({ id, name }) => [id, name])),
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
  // What the list had, or the live stream when it was last read: those of other projects are never in the list.
  let known: ReadonlySet<string> = new Set();
  const read = async () => {
    reads += 1;
    const own = reads;
    const streamed = [...fleet.peek().rows.keys()];
    const found = await readAssets(projectId.peek());
    // The project changed meanwhile.
    if (own !== reads) return;
    machinesFailure.value = "failure" in found ? found.failure : undefined;
    if ("failure" in found) return;
    assets.value = found.value;
    known = new Set([...streamed, ...found.value.map(({ id }) => id)]);
  };
  const readUnknown = () => {
    for (const id of fleet.peek().rows.keys()) {
      if (!known.has(id)) return void read();
    }
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
      const isFewer = rows.size < count;
      count = rows.size;
      clearTimeout(unknown);
      unknown = setTimeout(isFewer ? () => void read() : readUnknown, UNKNOWN_MS);
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

/** All of them at once, in bytes that the service keeps ready: pages would be as many turns before the first machine. */
async function readAssets(project: string | undefined): Promise<Outcome<readonly Asset[]>> {
  const query = project === undefined ? {} : { project_id: project };
  const outcome = await outcomeOf(api.GET("/api/v1/equipment/assets", { params: { query } }));
  if ("failure" in outcome) return outcome;
  return { value: outcome.value.data.toSorted((a, b) => names.compare(a.name, b.name)) };
}
