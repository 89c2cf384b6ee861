import { expect, it } from "vitest";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp } from "../../../support/api-app.ts";

const IMEI = "356307042441013";
const ASSETS = "/api/v1/equipment/assets";

/** Two customers of one installation; the first has a tracker. */
async function openSites() {
  const t = await openTestApp();
  const keys: string[] = [];
  for (const project of ["quarry", "harbour"]) {
    const id = await t.project({ id: project as ProjectId });
    const scopes = ["equipment:read", "equipment:write", "events:read"] as const;
    keys.push(await t.key({ scopes: [...scopes], project_ids: [id] }));
  }
  const [first = "", second = ""] = keys;
  const register = (key: string, project_id: string, id: string, more: object = {}) =>
    t.send("POST", ASSETS, key, { id, name: id, type: "loader", project_id, ...more });
  await register(first, "quarry", "tracker", { decoder: "teltonika", hardware_id: IMEI });
  const claims = async (key: string) =>
    (await t.get("/api/v1/events?cursor=0&type=security.hardware_id_claimed", key)).json().data;
  return { t, first, second, register, claims };
}

it("a hardware_id of another customer stays with its asset, and the claim is shown to administrators only", async () => {
  const { t, first, second, register, claims } = await openSites();
  await using _ = t;

  const refused = await register(second, "harbour", "thief", { hardware_id: IMEI });

  expect(refused.statusCode).toBe(409);
  expect(refused.body).not.toMatch(/tracker|quarry/);
  expect(t.directory.findByHardwareId(IMEI)?.asset.id).toBe("tracker");
  expect(await claims(ADMIN_KEY)).toMatchObject([
    {
      type: "security.hardware_id_claimed",
      data: {
        hardware_id: IMEI,
        holder_asset_id: "tracker",
        holder_project_id: "quarry",
        claimed_for_project_id: "harbour",
      },
    },
  ]);
  expect(await claims(first)).toEqual([]);
  expect(await claims(second)).toEqual([]);
});

it("a claim by changing an asset is reported as well, and one repeated on the same day once", async () => {
  const { t, second, register, claims } = await openSites();
  await using _ = t;
  await register(second, "harbour", "thief");
  for (let i = 0; i < 3; i += 1) {
    const changed = await t.send("PATCH", `${ASSETS}/thief`, second, { hardware_id: IMEI });
    expect(changed.statusCode).toBe(409);
  }
  expect(await claims(ADMIN_KEY)).toHaveLength(1);
  t.clock.ms += 86_400_000;
  await t.send("PATCH", `${ASSETS}/thief`, second, { hardware_id: IMEI });
  expect(await claims(ADMIN_KEY)).toHaveLength(2);
});

it("a name below another customer's edge node is a claim, too", async () => {
  const { t, first, second, register, claims } = await openSites();
  await using _ = t;
  const sparkplug = (hardware_id: string) => ({ decoder: "sparkplug", hardware_id });
  await register(first, "quarry", "edge", sparkplug("Q/Edge-1"));
  const refused = await register(second, "harbour", "below", sparkplug("Q/Edge-1/Loader-7"));
  expect(refused.statusCode).toBe(409);
  expect(await claims(ADMIN_KEY)).toMatchObject([{ data: { holder_asset_id: "edge" } }]);
});

it("a mistake within one customer's own assets is not an alarm", async () => {
  const { t, first, register, claims } = await openSites();
  await using _ = t;
  const twice = await register(first, "quarry", "second", { hardware_id: IMEI });
  expect(twice.statusCode).toBe(409);
  expect((await register(ADMIN_KEY, "harbour", "x", { hardware_id: IMEI })).statusCode).toBe(409);
  expect(await claims(ADMIN_KEY)).toEqual([]);
});
