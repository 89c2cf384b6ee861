import { join } from "node:path";
import { createRandom } from "../randomness/random.ts";
import { AssetRun } from "./asset-run.ts";
import {
  type EdgeNodePlan,
  mappedType,
  planEdgeNodes,
  registrationOf,
} from "./device/device-plan.ts";
import type { FleetFormat } from "./device/format.ts";
import { formatsOf } from "./formats/fleet-formats.ts";
import { plumbline } from "./formats/plumbline.ts";
import { type ApiClient, createApiClient } from "./link/api-client.ts";
import {
  type Credentials,
  provisionAssets,
  provisionMapping,
  provisionProjects,
} from "./link/provision.ts";
import { provisionFences } from "./link/provision-fences.ts";
import { FLEET_DEFAULTS, type FleetOptions, fencesFrom, startOf } from "./options.ts";
import { planProjects } from "./plan-fleet.ts";
import type { Fence } from "./site/fences.ts";
import { openTrackFile } from "./truth/track-file.ts";
import {
  type AssetPlan,
  createWorld,
  drawGrounds,
  type ProjectPlan,
  planAssets,
} from "./world/world.ts";

/** A fleet that is registered with the service and ready to go. */
export interface Fleet {
  readonly startMs: number;
  /** `Infinity` in a run without end. */
  readonly endMs: number;
  readonly projects: readonly ProjectPlan[];
  readonly fences: readonly Fence[];
  /** From when on the fences are in force, ms since the Unix epoch. */
  readonly fencesFromMs: number;
  readonly assets: readonly AssetRun[];
  readonly edgeNodes: readonly EdgeNodePlan[];
  /** Of assets and edge nodes, by id. */
  readonly credentials: ReadonlyMap<string, Credentials>;
}

/** The label of a device's random draws: the same whatever the project is called. */
export function measureLabel(assetId: string, projectId: string): string {
  return `measure-${FLEET_DEFAULTS.projectId}${assetId.slice(projectId.length)}`;
}

/**
 * Memory for tracks that are not yet on disk, characters: per machine, and over the whole fleet. Less writes to
 * disk more often, more is lost memory for a large fleet.
 */
const TRACK_BUFFER_CHARS = { asset: 64 * 1024, fleet: 32 * 1024 * 1024 };

/**
 * Registers projects, fences and assets, then builds the world they live in. The world begins when the
 * service has answered, so that a live run does not begin with a backlog.
 */
export async function setUpFleet(options: FleetOptions, signal: AbortSignal): Promise<Fleet> {
  const api = createApiClient(options.url, options.key, signal);
  const random = createRandom(`fleet-${options.seed}`);
  const projects = await provisionProjects(api, planProjects(random, options));
  const plans = planAssets(
    projects.map(({ id }) => id),
    options.assets,
  );
  const spoken = formatsOf(options.format, options.ports);
  const formats = plans.flatMap((_, i) => spoken[i % spoken.length] ?? []);
  const edgeNodes = planEdgeNodes(plans, formats);
  const formatById = new Map(plans.map((plan, i) => [plan.id, formats[i] ?? plumbline]));
  await provisionMappings(api, plans, formatById);
  const credentials = await provisionAssets(api, [
    ...edgeNodes.map(({ registration }) => registration),
    ...plans.map((plan) => registrationOf(plan, formatById.get(plan.id) ?? plumbline, edgeNodes)),
  ]);
  const grounds = drawGrounds(random, projects, options.fences);
  const fences = grounds.flatMap((ground) => ground.fences);
  const fencesFromMs = fencesFrom(startOf(options, Date.now()), Date.now());
  await provisionFences(api, fences, fencesFromMs);

  const startMs = startOf(options, Date.now());
  const endMs = startMs + Math.round(options.hours * 3_600) * 1_000;
  const keepAll = Number.isFinite(endMs);
  const world = createWorld(random, grounds, plans, startMs);
  const folder = options.out !== undefined && keepAll ? join(options.out, ".tracks") : undefined;
  const bufferChars = Math.min(TRACK_BUFFER_CHARS.asset, TRACK_BUFFER_CHARS.fleet / plans.length);
  const assets = world.assets.map(
    (asset) =>
      new AssetRun({
        asset,
        format: formatById.get(asset.plan.id) ?? plumbline,
        random: random.fork(measureLabel(asset.plan.id, options.projectId)),
        limits: options,
        startMs,
        keepAll,
        track: folder === undefined ? undefined : openTrackFile(folder, asset.plan.id, bufferChars),
      }),
  );
  return {
    startMs,
    endMs,
    projects,
    fences,
    fencesFromMs,
    assets,
    edgeNodes,
    credentials,
  };
}

/** Registers the mapping of every type of machine whose payloads need one. */
async function provisionMappings(
  api: ApiClient,
  plans: readonly AssetPlan[],
  formatById: ReadonlyMap<string, FleetFormat>,
): Promise<void> {
  const byType = new Map(
    plans.flatMap(({ id, spec }) => {
      const mapping = formatById.get(id)?.mapping;
      return mapping === undefined ? [] : [[mappedType(spec.type), mapping] as const];
    }),
  );
  for (const [type, mapping] of byType) await provisionMapping(api, type, mapping);
}
