import { join } from "node:path";
import {
  PROJECT_DEFAULTS,
  type ProjectOptions,
  usualProjectObliques,
} from "../../simulators/project/plan/options.ts";
import { runProject } from "../../simulators/project/run.ts";
import type { ProjectTruth } from "../../simulators/project/truth/project-truth.ts";
import { type RenderedKind, renderedSet } from "./rendered-sets.ts";

/** A simulated project on this machine's disk. */
export interface ProjectSet {
  /** Holds what `npm run simulate -- project` writes; paths in the truth are relative to it. */
  readonly folder: string;
  readonly truth: ProjectTruth;
  /** Paths of the drone's images of a week (from 1), in the order of the flight; none where it was left out. */
  flight(week: number): readonly string[];
}

/** What of a project is rendered: by default all of it. */
export interface ProjectRender {
  readonly onlyWeek?: number;
  readonly withFlights?: boolean;
  readonly withCameras?: boolean;
  /** Threads; 0 = the calling one. */
  readonly workers?: number;
}

const PROJECTS: RenderedKind<ProjectSet> = {
  cache: "plumbline-project-sets",
  sources: ["project", "survey"],
  open(folder, text) {
    const truth = JSON.parse(text) as ProjectTruth;
    return {
      ...{ folder, truth },
      flight(week) {
        const images = truth.weeks.find((other) => other.week === week)?.flight?.images ?? [];
        return images.map((image) => join(folder, image));
      },
    };
  },
};

/**
 * Gives the project of these options (others: `PROJECT_DEFAULTS`), rendering it only if no run before did
 * with the same options and the same simulator. Safe in parallel processes. Read only: the files are shared.
 */
export async function projectSet(
  options: Partial<ProjectOptions> = {},
  { onlyWeek, withFlights = true, withCameras = true, workers = 2 }: ProjectRender = {},
): Promise<ProjectSet> {
  const images = options.images ?? PROJECT_DEFAULTS.images;
  const full = { ...PROJECT_DEFAULTS, obliques: usualProjectObliques(images), ...options };
  const shown = { withFlights, withCameras, ...(onlyWeek !== undefined && { onlyWeek }) };
  return await renderedSet(PROJECTS, [full, shown], (out) =>
    runProject(full, { out, workers, signal: new AbortController().signal, ...shown }),
  );
}
