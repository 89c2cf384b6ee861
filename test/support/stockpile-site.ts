import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProjectId } from "../../domain/ids.ts";
import { openLocalFiles } from "../../storage/files/local.ts";
import { createOwnAddresses } from "../../storage/files/own-addresses.ts";
import { createFileUrlSigner } from "../../storage/files/signed-url.ts";
import type { Files } from "../../storage/open.ts";
import { NO_QUOTA } from "../../storage/quota/quota.ts";
import { ADMIN_KEY, NOON_MS, PEPPER, type TestApp } from "./api-app.ts";

export const STOCKPILES = "/api/v1/materials/stockpiles";

/** Clockwise on the map, [latitude, longitude]: 0.0002 degrees in each direction, so about 22 m by 13 m at 53.5 north. */
export const FOOTPRINT = [
  [53.5, 9.9],
  [53.5002, 9.9],
  [53.5002, 9.9002],
  [53.5, 9.9002],
];

/** A body of POST /stockpiles with what is required, and `change`. */
export const newStockpile = (change: object = {}) => ({
  material: "Gravel 16/32",
  location: "Bay 3",
  max_capacity_m3: 2_500,
  project_id: "p1",
  ...change,
});

/** Projects `p1` and `p2`. */
export async function withProjects(t: TestApp): Promise<void> {
  await t.project({ id: "p1" as ProjectId });
  await t.project({ id: "p2" as ProjectId });
}

/** Creates a stockpile and yields it as the API shows it. */
export async function createStockpile(t: TestApp, change: object = {}) {
  const created = await t.send("POST", STOCKPILES, ADMIN_KEY, newStockpile(change));
  if (created.statusCode !== 201) throw new Error(created.body);
  return created.json();
}

/** Files in a folder of their own, served below `https://site.test/files`, at noon. */
export async function openTestFiles(): Promise<Files & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-stockpile-"));
  const signer = createFileUrlSigner(PEPPER);
  const baseUrl = () => "https://site.test/files";
  const store = await openLocalFiles({ dir, baseUrl, signer });
  return {
    quota: NO_QUOTA,
    store,
    ...createOwnAddresses(signer, baseUrl, () => NOON_MS),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true }),
  };
}
