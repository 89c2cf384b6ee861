import { describe, expect, it } from "vitest";
import type { ProjectId } from "../../../domain/ids.ts";
import { openTestApp } from "../../support/api-app.ts";

/** Two tenants of one installation, and a function to register what they name. */
async function openSite() {
  const t = await openTestApp();
  const keyOf = new Map<string, string>();
  for (const project of ["quarry", "harbour"]) {
    const id = await t.project({ id: project as ProjectId });
    const scopes = ["equipment:read", "equipment:write"] as const;
    keyOf.set(project, await t.key({ scopes: [...scopes], project_ids: [id] }));
  }
  const register = async (project: string, id: string, hardware_id: string, more: object = {}) => {
    const asset = { id, name: id, type: "loader", project_id: project, hardware_id };
    const body = { decoder: "sparkplug", ...asset, ...more };
    return await t.send("POST", "/api/v1/equipment/assets", keyOf.get(project), body);
  };
  const change = (project: string, id: string, body: object) =>
    t.send("PATCH", `/api/v1/equipment/assets/${id}`, keyOf.get(project), body);
  return { t, register, change };
}

describe("names behind a Sparkplug edge node", () => {
  it("names behind a Sparkplug edge node are given by keys that see the edge node", async () => {
    const { t, register } = await openSite();
    await using _ = t;
    expect((await register("quarry", "edge", "Q/Edge-1")).statusCode).toBe(201);
    const stolen = await register("harbour", "thief", "Q/Edge-1/Loader-7");
    expect(stolen.statusCode).toBe(409);
    expect(stolen.json()).toMatchObject({
      error: { code: "id_taken", message: "hardware_id is taken by another asset" },
    });
    expect((await register("quarry", "loader", "Q/Edge-1/Loader-7")).statusCode).toBe(201);
  });

  it("names behind a Sparkplug edge node are not there for somebody else's edge node to be registered above", async () => {
    const { t, register } = await openSite();
    await using _ = t;
    expect((await register("harbour", "early", "Q/Edge-1/Loader-7")).statusCode).toBe(201);
    expect((await register("quarry", "edge", "Q/Edge-1")).statusCode).toBe(409);
    expect((await register("harbour", "edge", "Q/Edge-1")).statusCode).toBe(201);
  });

  it("names behind a Sparkplug edge node are not taken by changing an asset either", async () => {
    const { t, register, change } = await openSite();
    await using _ = t;
    await register("quarry", "edge", "Q/Edge-1");
    await register("harbour", "named", "H/Edge-1/Loader-7");
    await register("harbour", "spoken", "Q/Edge-1/Loader-8", { decoder: "thingsboard" });
    const renamed = await change("harbour", "named", { hardware_id: "Q/Edge-1/Loader-7" });
    expect(renamed.statusCode).toBe(409);
    expect((await change("harbour", "spoken", { decoder: "sparkplug" })).statusCode).toBe(409);
    expect((await change("harbour", "named", { name: "Loader" })).statusCode).toBe(200);
  });

  it("names are free where only the beginning of the text is alike", async () => {
    const { t, register } = await openSite();
    await using _ = t;
    await register("quarry", "edge", "Q/Edge-1");
    expect((await register("harbour", "other", "Q/Edge-11/Loader-7")).statusCode).toBe(201);
    expect((await register("harbour", "edge-10", "Q/Edge-10")).statusCode).toBe(201);
  });
});
