import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../../support/api-app.ts";

const GEOFENCES = "/api/v1/equipment/geofences";

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  await t.project({ id: "p1" as ProjectId });
});
afterAll(() => t[Symbol.asyncDispose]());

/** Sends the polygon as this JSON text, so that a test can send what no value of ours is. */
function draw(polygon: string) {
  return t.app.inject({
    method: "POST",
    url: GEOFENCES,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
    payload: `{"name":"Yard","project_id":"p1","polygon":${polygon}}`,
  });
}

/** `count` corners on a circle of about 500 m. */
function circle(count: number): string {
  const corners = Array.from({ length: count }, (_, i) => {
    const angleRad = (2 * Math.PI * i) / count;
    return [53 + 0.0045 * Math.cos(angleRad), 9 + 0.0075 * Math.sin(angleRad)];
  });
  return JSON.stringify(corners);
}

describe("POST /geofences with an invalid polygon", () => {
  it.each([
    [
      "a text",
      '"square"',
      "polygon",
      "must be an array of [latitude, longitude] pairs, not a string",
    ],
    ["null", "null", "polygon", "must be an array of [latitude, longitude] pairs, not null"],
    [
      "an object",
      "{}",
      "polygon",
      "must be an array of [latitude, longitude] pairs, not an object",
    ],
    ["no vertex", "[]", "polygon", "has 0 different vertices; an outline has 3 to 1000"],
    [
      "two points",
      "[[53,9],[53,9.1]]",
      "polygon",
      "has 2 different vertices; an outline has 3 to 1000",
    ],
    [
      "two points, closed",
      "[[53,9],[53,9.1],[53,9]]",
      "polygon",
      "has 2 different vertices; an outline has 3 to 1000",
    ],
    [
      "one point ten times",
      JSON.stringify(Array(10).fill([53, 9])),
      "polygon",
      "has 1 different vertices",
    ],
    [
      "1,001 vertices",
      circle(1_001),
      "polygon",
      "has 1001 different vertices; an outline has 3 to 1000",
    ],
    ["20,000 vertices", circle(20_000), "polygon", "has 20000 different vertices"],
    [
      "a number as a vertex",
      "[[53,9],[53,9.1],5]",
      "polygon[2]",
      "must be a [latitude, longitude] pair, not a number",
    ],
    ["null as a vertex", "[[53,9],null,[54,9]]", "polygon[1]", "pair, not null"],
    [
      "an object as a vertex",
      '[{"lat":53,"lng":9},[53,9.1],[54,9]]',
      "polygon[0]",
      "must be a [latitude, longitude] pair, not an object",
    ],
    ["one number", "[[53,9],[53],[54,9]]", "polygon[1]", "pair, not an array of 1"],
    ["three numbers", "[[53,9],[53,9.1],[54,9,12]]", "polygon[2]", "pair, not an array of 3"],
    ["a nested ring", "[[[53,9],[53,9.1],[54,9]]]", "polygon[0]", "pair, not an array of 3"],
    [
      "strings",
      '[["53","9"],["53","9.1"],["54","9"]]',
      "polygon[0]",
      "has a string as its latitude, which is a number",
    ],
    [
      "NaN as text",
      '[[53,9],[53,"NaN"],[54,9]]',
      "polygon[1]",
      "has a string as its longitude, which is a number",
    ],
    ["null as a number", "[[53,9],[53,9.1],[null,9]]", "polygon[2]", "has null as its latitude"],
    [
      "true as a number",
      "[[53,9],[53,true],[54,9]]",
      "polygon[1]",
      "has a boolean as its longitude",
    ],
    ["infinity", "[[53,9],[53,1e999],[54,9]]", "polygon[1]", "has a longitude that is not finite"],
    [
      "latitude 91",
      "[[53,9],[53,9.1],[54,9],[91,9]]",
      "polygon[3]",
      "has a latitude of 91, outside -90 to 90; a pair is [latitude, longitude]",
    ],
    ["latitude -90.5", "[[-90.5,9],[53,9.1],[54,9]]", "polygon[0]", "latitude of -90.5, outside"],
    [
      "longitude 181",
      "[[53,9],[53,181],[54,9]]",
      "polygon[1]",
      "has a longitude of 181, outside -180 to 180",
    ],
    ["longitude -200", "[[53,9],[53,9.1],[54,-200]]", "polygon[2]", "longitude of -200, outside"],
    [
      "a bow tie",
      "[[53,9],[53.01,9.01],[53,9.01],[53.01,9]]",
      "polygon[2]",
      "begins an edge, to vertex 3, that crosses the edge from vertex 0 to vertex 1",
    ],
    [
      "a bow tie over the antimeridian",
      "[[-17,179.9],[-16.9,-179.9],[-17,-179.9],[-16.9,179.9]]",
      "polygon[2]",
      "crosses the edge from vertex 0 to vertex 1",
    ],
    [
      "a figure of eight that meets in a vertex",
      "[[53,9],[53,9.04],[53.02,9.02],[53.04,9.04],[53.04,9],[53.02,9.02]]",
      "polygon[5]",
      "is at the place of vertex 2: the outline touches itself",
    ],
    [
      "a vertex on another edge",
      "[[53,9],[53,9.02],[53.02,9.02],[53,9.01],[53.02,9]]",
      "polygon[3]",
      "lies on the edge from vertex 0 to vertex 1",
    ],
    ["a spike", "[[53,9],[53,9.02],[53,9.04],[53,9.03],[53.02,9.02]]", "polygon[2]", "is a spike"],
    ["corners on one line", "[[53,9],[53.1,9.1],[53.3,9.3]]", "polygon[2]", "is a spike"],
    [
      "less than 1 m2",
      // 1.1 m by 0.67 m at latitude 53: 0.00001 degrees both ways.
      "[[53,9],[53,9.00001],[53.00001,9.00001],[53.00001,9]]",
      "polygon",
      "has an area of 0.747 m2; an outline has 1 m2 or more",
    ],
    [
      "around the pole",
      "[[80,0],[80,90],[80,180],[80,-90]]",
      "polygon",
      "goes once round the Earth; an outline must not hold a pole",
    ],
    [
      "wider than 180 degrees",
      "[[0,-100],[0,0],[0,100],[10,0]]",
      "polygon",
      "is 200 degrees of longitude wide; an outline is at most 180 degrees wide",
    ],
    [
      "half the Earth in one edge",
      "[[0,-90],[0,90],[10,0]]",
      "polygon[1]",
      "is 180 degrees of longitude from vertex 0, so that either direction could be meant",
    ],
  ])("%s: 400", async (_name, polygon, parameter, reason) => {
    const response = await draw(polygon);
    const { error } = response.json();
    expect([response.statusCode, error.code]).toEqual([400, "invalid_parameter"]);
    expect(error.details).toEqual([{ parameter, message: expect.stringContaining(reason) }]);
    expect(error.message).toBe(`${parameter} ${error.details[0].message}`);
    expect(t.records.rows.fences.size).toBe(0);
  });

  it.each([
    "[[NaN,9],[53,9.1],[54,9]]",
    "[[53,9],[53,Infinity],[54,9]]",
    "[[53,9],[53,9.1],[54,9]",
  ])("%s is not JSON: 400", async (polygon) => {
    const response = await draw(polygon);
    expect([response.statusCode, response.json().error]).toEqual([
      400,
      expect.objectContaining({
        code: "invalid_request",
        message: expect.stringContaining("not valid JSON"),
      }),
    ]);
  });

  it("POST /geofences checks the polygon before the project and after the scope", async () => {
    const reader = await t.key({ scopes: ["equipment:read"] });
    const body = { name: "Yard", project_id: "absent", polygon: [] };
    expect((await t.send("POST", GEOFENCES, ADMIN_KEY, body)).statusCode).toBe(400);
    expect((await t.send("POST", GEOFENCES, reader, body)).statusCode).toBe(403);
  });
});

describe("POST /geofences with a polygon", () => {
  it.each([
    ["of three corners", "[[53,9],[53,9.01],[53.01,9]]", 3],
    ["closed", "[[53,9],[53,9.01],[53.01,9],[53,9]]", 3],
    ["with repeated vertices", "[[53,9],[53,9],[53,9.01],[53.01,9],[53.01,9]]", 3],
    ["of 1,000 corners", circle(1_000), 1_000],
    ["over the antimeridian", "[[-17,179.99],[-17,-179.99],[-16.99,-179.99],[-16.99,179.99]]", 4],
    ["at the south pole's edge", "[[-90,0],[-89.9,0],[-89.9,10]]", 3],
  ])("%s: 201", async (_name, polygon, corners) => {
    const response = await draw(polygon);
    expect(response.statusCode).toBe(201);
    expect(response.json().polygon).toHaveLength(corners);
  });
});
