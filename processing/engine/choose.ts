import { DomainError } from "../../domain/errors.ts";
import { LIMITS } from "../gates/gate-thresholds.ts";
import type { WorkerPool } from "../pool/pool.ts";
import { createLocalEngine } from "./local.ts";
import type { NodeOdmClient } from "./nodeodm/client.ts";
import { createNodeOdmEngine } from "./nodeodm-engine.ts";
import type { SurveyEngine } from "./port/engine.ts";
import { createPrecomputedEngine } from "./precomputed.ts";
import type { GivenRasters } from "./raster/read-rasters.ts";
import type { StageStores } from "./run/stage-stores.ts";

/** What is asked for; `auto` = here, or at the NodeODM when there are too many images. */
export const ENGINE_CHOICES = ["auto", "local", "nodeodm"] as const;
export type EngineChoice = (typeof ENGINE_CHOICES)[number];

/** What engines work with. */
export interface EngineTools {
  readonly pool: WorkerPool;
  readonly stages: StageStores;
  /** `undefined`: no NodeODM is configured. */
  readonly nodeOdm: NodeOdmClient | undefined;
}

export interface EngineRequest {
  readonly engine: EngineChoice;
  /** Wins over everything else: the surface is there already. */
  readonly rasters: GivenRasters | undefined;
}

/**
 * The engine for a survey of so many images. Too many images without a NodeODM go to the local one, whose gate
 * TOO_MANY_IMAGES says so.
 * @throws DomainError `PARAMETER_INVALID` when a NodeODM is asked for and none is configured.
 */
export function chooseEngine(
  tools: EngineTools,
  { engine, rasters }: EngineRequest,
  images: number,
): SurveyEngine {
  const { nodeOdm } = tools;
  if (rasters !== undefined) return createPrecomputedEngine(tools, rasters);
  if (engine === "nodeodm" && nodeOdm === undefined) {
    throw new DomainError("PARAMETER_INVALID", "no NodeODM is configured (NODEODM_URL)");
  }
  const isRemote = engine === "nodeodm" || (engine === "auto" && images > LIMITS.mostImages);
  return isRemote && nodeOdm !== undefined
    ? createNodeOdmEngine({ ...tools, client: nodeOdm })
    : createLocalEngine(tools);
}
