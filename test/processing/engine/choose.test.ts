import { describe, expect, it } from "vitest";
import { chooseEngine, type EngineTools } from "../../../processing/engine/choose.ts";
import { NodeOdmClient } from "../../../processing/engine/nodeodm/client.ts";
import { createStageStores } from "../../../processing/engine/run/stage-stores.ts";
import { ThreadPool } from "../../../processing/pool/pool.ts";

// No engine is asked to work here, so that no thread starts.
const pool = new ThreadPool({ threads: 1, memoryBytes: 2 ** 30 });
const bare: EngineTools = { pool, stages: createStageStores(), nodeOdm: undefined };

describe("choice of the engine", () => {
  it("the choice of the engine refuses a NodeODM that is not configured", () => {
    const request = { engine: "nodeodm", rasters: undefined } as const;
    expect(() => chooseEngine(bare, request, 10)).toThrow(
      expect.objectContaining({ code: "PARAMETER_INVALID" }),
    );
  });

  it.each([
    ["auto", 600, "local"],
    ["auto", 601, "nodeodm"],
    ["local", 601, "local"],
    ["nodeodm", 5, "nodeodm"],
  ] as const)("%s with %i images: %s", (engine, images, expected) => {
    const nodeOdm = new NodeOdmClient("http://127.0.0.1:9/", undefined);
    const chosen = chooseEngine({ ...bare, nodeOdm }, { engine, rasters: undefined }, images);
    expect(chosen.name).toBe(expected);
  });

  it("the choice of the engine keeps too many images here without a NodeODM: the gate says so", () => {
    const request = { engine: "auto", rasters: undefined } as const;
    expect(chooseEngine(bare, request, 1_000).name).toBe("local");
  });

  it("the choice of the engine takes given rasters whatever else is asked for", () => {
    const rasters = { dsm: "dsm.tif", orthophoto: undefined };
    expect(chooseEngine(bare, { engine: "nodeodm", rasters }, 0).name).toBe("precomputed");
  });
});
