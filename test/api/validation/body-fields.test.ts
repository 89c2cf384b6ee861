import { describe, expect, it } from "vitest";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";

const V1 = "/api/v1";
const SQUARE = [
  [53.5, 10],
  [53.5, 10.01],
  [53.51, 10.01],
];

const post = (t: TestApp, path: string, body: object) =>
  t.send("POST", `${V1}${path}`, ADMIN_KEY, body);

describe("a misspelt body field", () => {
  it("a misspelt body field is refused with the nearest right one on a route of our own, and nothing is stored", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const asset = { name: "Digger", type: "excavator", project_id };

    const answer = await post(t, "/equipment/assets", {
      ...asset,
      hardwareId: "1",
      decodr: "nmea",
    });

    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatchObject({
      code: "invalid_parameter",
      message: "hardwareId is not known here; did you mean hardware_id?",
      details: [
        { parameter: "hardwareId", message: "is not known here; did you mean hardware_id?" },
        { parameter: "decodr", message: "is not known here; did you mean decoder?" },
      ],
    });
    expect((await t.get(`${V1}/equipment/assets`, ADMIN_KEY)).json().data).toEqual([]);
  });

  it("a misspelt body field is named where it is a required one, in place of the right one that is missing", async () => {
    await using t = await openTestApp();
    const answer = await post(t, "/projects", { nmae: "North", location: {} });
    expect(answer.json().error.message).toBe("nmae is not known here; did you mean name?");
  });

  it("a misspelt body field is found inside objects, by its path", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const answer = await post(t, "/materials/stockpiles", {
      project_id,
      material: "Gravel",
      location: "Bay 1",
      max_capacity_m3: 10,
      thresholds: { full_percnt: 90 },
    });
    expect([answer.statusCode, answer.json().error.message]).toEqual([
      400,
      "thresholds.full_percnt is not known here; did you mean full_percent?",
    ]);
  });

  it("a misspelt body field is ignored beside the right one, and where it is near to nothing; both are listed", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const asset = { name: "Digger", type: "excavator", project_id, names: "x", colour: "red" };

    const answer = await post(t, "/equipment/assets", asset);

    expect(answer.statusCode).toBe(201);
    expect(answer.headers["x-ignored-fields"]).toBe("names, colour");
  });

  it("a misspelt body field is allowed and listed on the contract's POST /geofences", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const fence = { name: "Pit", project_id, polygon: SQUARE };

    const answer = await post(t, "/equipment/geofences", { ...fence, alert_onn: "exit", x: 1 });

    expect(answer.statusCode).toBe(201);
    expect(answer.headers["x-ignored-fields"]).toBe("alert_onn, x");
    const right = await post(t, "/equipment/geofences", fence);
    expect(right.headers).not.toHaveProperty("x-ignored-fields");
  });

  it("a misspelt body field is allowed on the contract's other two POSTs, which refuse such a body for other reasons only", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const capture = await post(t, "/progress/captures", { project_id, captur_type: "drone" });
    const measure = await post(t, "/materials/stockpiles/none/measure", { imagess: [] });
    for (const answer of [capture, measure]) {
      expect(JSON.stringify(answer.json())).not.toContain("did you mean");
    }
  });

  it("a misspelt body field is not reported where clients choose the names", async () => {
    await using t = await openTestApp();
    const answer = await post(t, "/equipment/dry-run", {
      decoder: "plumbline",
      payload: { decodr: 1, payload_txt: 2 },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty("x-ignored-fields");
  });

  it("the answer to misspelt body fields names at most 20, with what a header cannot carry encoded", async () => {
    await using t = await openTestApp();
    const project_id = await t.project();
    const odd = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`zz${i}\r\nx`, i]));
    const answer = await post(t, "/equipment/assets", {
      ...{ name: "Digger", type: "excavator", project_id },
      ...odd,
    });
    expect(answer.statusCode).toBe(201);
    expect(String(answer.headers["x-ignored-fields"]).split(", ")).toHaveLength(20);
    expect(answer.headers["x-ignored-fields"]).toMatch(/^zz0%0D%0Ax, /);
  });
});
