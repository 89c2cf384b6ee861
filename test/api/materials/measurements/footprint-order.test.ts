import { expect, it } from "vitest";
import { checkFootprintOrder } from "../../../../api/materials/stockpiles/stockpile-fields.ts";
import type { Ring } from "../../../../domain/geometry/geofence.ts";
import { ADMIN_KEY, openTestApp } from "../../../support/api-app.ts";

const HAMBURG = { latitude: 53.55, longitude: 9.99 } as const;
const SYDNEY = { latitude: -33.87, longitude: 151.21 } as const;

/** A square of 20 m or so, corners as [longitude, latitude]. */
function square([lonDeg, latDeg]: readonly [number, number]): Ring {
  return [
    [lonDeg, latDeg],
    [lonDeg + 3e-4, latDeg],
    [lonDeg + 3e-4, latDeg + 2e-4],
    [lonDeg, latDeg],
  ];
}

it("a footprint near its project only with its pairs exchanged is refused, and says so", async () => {
  await using t = await openTestApp();
  const project_id = await t.project({ location: HAMBURG });
  const corners = square([9.99, 53.55]).slice(0, -1);
  const pile = (footprint: unknown) =>
    t.send("POST", "/api/v1/materials/stockpiles", ADMIN_KEY, {
      ...{ project_id, material: "sand", location: "yard", max_capacity_m3: 100, footprint },
    });
  const refused = await pile(corners);
  expect(refused.statusCode).toBe(400);
  expect(refused.json().error.details).toEqual([
    {
      parameter: "footprint",
      message: expect.stringMatching(
        /^lies \d{4} km from its project, and 0 km with the numbers of each pair exchanged/,
      ),
    },
  ]);
  const taken = await pile(corners.map(([lon, lat]) => [lat, lon]));
  expect(taken.statusCode).toBe(201);
  const { id } = taken.json();
  const path = `/api/v1/materials/stockpiles/${id}`;
  expect((await t.send("PATCH", path, ADMIN_KEY, { footprint: corners })).statusCode).toBe(400);
});

it.each([
  ["near its project", [10.2, 53.4], HAMBURG],
  ["far from its project in either order", [2.3, 48.8], SYDNEY],
  ["at a longitude that is not a latitude", [151.2, -33.9], SYDNEY],
  ["near it in either order", [9.99, 10.4], { latitude: 10, longitude: 10.1 }],
] as const)("a footprint %s is taken as it is", (_, corner, place) => {
  expect(() => checkFootprintOrder(square(corner), place)).not.toThrow();
});
