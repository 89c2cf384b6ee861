import { computed, type ReadonlySignal } from "@preact/signals";
import { browserZone, isKnownZone } from "../time/zone.ts";
import { preferences } from "./preferences.ts";
import { projectId, projects } from "./project.ts";

/** The zone of all times that the pages show and take. */
interface ShownZone {
  /** IANA name. */
  readonly name: string;
  /**
   * Whose it is. `several`: projects are in more than one, so it is the browser's. `unfamiliar`: this browser does not
   * know that of the project, so it is the browser's.
   */
  readonly basis: "project" | "fleet" | "several" | "browser" | "unfamiliar" | "utc";
  /** That of the project; empty: there is none. */
  readonly wanted: string;
}

/** Zones of projects, without doubles. */
export const zonesOf = (ids: readonly string[]): readonly string[] => [
  ...new Set(projects.value.filter(({ id }) => ids.includes(id)).map(({ time_zone }) => time_zone)),
];

/** Zones of the projects that the pages show: of the chosen one, else of all. */
export const projectZones = computed<readonly string[]>(() =>
  zonesOf(projectId.value === undefined ? projects.value.map(({ id }) => id) : [projectId.value]),
);

/** By the person's choice: that of the chosen project, or of all projects where it is one; else the browser's. */
export const shownZone: ReadonlySignal<ShownZone> = computed(() => {
  const choice = preferences.value.zone;
  const [wanted = "", second] = projectZones.value;
  const browsers = (basis: ShownZone["basis"]) => ({ name: browserZone(), basis, wanted });
  if (choice === "utc") return { name: "UTC", basis: "utc", wanted };
  if (choice === "browser" || wanted === "") return browsers("browser");
  if (second !== undefined) return browsers("several");
  if (!isKnownZone(wanted)) return browsers("unfamiliar");
  return { name: wanted, basis: projectId.value === undefined ? "fleet" : "project", wanted };
});

/** Its name. */
export const zone = computed(() => shownZone.value.name);
