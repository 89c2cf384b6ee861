import { expect, it } from "vitest";
import type { Zone } from "../../../../api/dependencies/dependencies.ts";
import type { AssetId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp } from "../../../support/api-app.ts";

const ASSETS = "/api/v1/equipment/assets";
const geo = { accept: "application/geo+json" };

/** One asset whose zone the test moves; `where` reads it from every representation. */
async function openZonedApp() {
  const zones = new Map<AssetId, Zone>();
  const t = await openTestApp({ zoneOf: (assetId) => zones.get(assetId) });
  const asset = await t.asset({ project_id: await t.project() });
  t.live(asset);
  async function where() {
    const json = async (url: string, headers = {}) => (await t.get(url, ADMIN_KEY, headers)).json();
    const { data: filtered } = await json(`${ASSETS}?type=excavator`);
    const csv = (await t.get(ASSETS, ADMIN_KEY, { accept: "text/csv" })).body.split("\r\n");
    const column = csv[0]?.split(",").indexOf("zone") ?? -1;
    return {
      list: (await json(ASSETS)).data[0].zone,
      filtered: filtered[0].zone,
      detail: (await json(`${ASSETS}/${asset}`)).zone,
      location: (await json(`${ASSETS}/${asset}/location`)).zone,
      listGeoJson: (await json(ASSETS, geo)).features[0].properties.zone,
      locationGeoJson: (await json(`${ASSETS}/${asset}/location`, geo)).properties.zone,
      csv: csv[1]?.split(",")[column],
    };
  }
  return { t, asset, zones, where };
}

const everywhere = (zone: Zone) => ({
  list: zone.name,
  filtered: zone.name,
  detail: zone.name,
  location: zone,
  listGeoJson: zone.name,
  locationGeoJson: zone,
  csv: zone.name,
});

it("the API shows the zone of an asset in every representation, and none as empty texts", async () => {
  const { t, asset, zones, where } = await openZonedApp();
  await using _ = t;
  expect(await where()).toEqual(everywhere({ id: "", name: "" }));
  zones.set(asset, { id: "f1", name: "Crane zone" });
  t.live(asset);
  expect(await where()).toEqual(everywhere({ id: "f1", name: "Crane zone" }));
  zones.delete(asset);
  t.live(asset);
  expect(await where()).toEqual(everywhere({ id: "", name: "" }));
});

it("the API shows a fence drawn or renamed around a silent asset in the list within a second", async () => {
  const { t, asset, zones, where } = await openZonedApp();
  await using _ = t;
  zones.set(asset, { id: "f1", name: "Gate" });
  await where();
  zones.set(asset, { id: "f1", name: "North gate" });
  t.clock.ms += 1_000;
  expect(await where()).toEqual(everywhere({ id: "f1", name: "North gate" }));
});
