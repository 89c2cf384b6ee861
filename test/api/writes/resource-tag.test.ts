import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { ADMIN_KEY, NOON_MS, openTestApp, type TestApp } from "../../support/api-app.ts";
import { preparePostSite } from "../../support/post-routes.ts";
import { TAGGED, type TaggedResource } from "../../support/tagged-resources.ts";

/** Hashes of what is stored, and of the answer. */
const TAG = /^"[\w-]{16}\.[\w-]{16}"$/;

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp();
  await preparePostSite(t);
});
afterAll(() => t[Symbol.asyncDispose]());

const read = (path: string, headers: Record<string, string> = {}) =>
  t.get(path, ADMIN_KEY, headers);

const tagOf = async (path: string): Promise<string> => String((await read(path)).headers.etag);

const write = ({ method, change }: TaggedResource, path: string, n: number, tag: string) =>
  t.send(method, path, ADMIN_KEY, change(n), { "if-match": tag });

const remove = (path: string, headers: Record<string, string>) =>
  t.send("DELETE", path, ADMIN_KEY, undefined, headers);

describe.each(
  TAGGED.map((resource) => [resource.name, resource] as const),
)("a %s", (_, resource) => {
  it("has a strong tag, and is not sent again to who has it", async () => {
    const path = await resource.make(t);
    const first = await read(path);
    const etag = String(first.headers.etag);
    expect(etag).toMatch(TAG);
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await read(path, { "if-none-match": tags });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", etag]);
      expect(again.headers).not.toHaveProperty("content-type");
    }
    const head = await t.app.inject({
      method: "HEAD",
      url: path,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "if-none-match": etag },
    });
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([304, "", etag]);
    for (const tags of ['"x"', etag.slice(1, -1), '"', "", `"${"x".repeat(8_000)}"`]) {
      expect((await read(path, { "if-none-match": tags })).body).toBe(first.body);
    }
  });

  it("is changed and removed only in the state that If-Match names", async () => {
    const path = await resource.make(t);
    const first = await tagOf(path);
    t.clock.ms += 1_000;
    const changed = await write(resource, path, 1, first);
    const second = String(changed.headers.etag);
    expect([changed.statusCode, second]).toEqual([200, await tagOf(path)]);
    expect(second).not.toBe(first);
    const shown = (await read(path)).body;
    for (const tag of [first, `W/${second}`, second.slice(1, -1), '"x"', "", "x".repeat(8_000)]) {
      for (const refused of [
        await write(resource, path, 2, tag),
        await remove(path, { "if-match": tag }),
      ]) {
        expect([refused.statusCode, refused.json().error.code]).toEqual([
          412,
          "precondition_failed",
        ]);
        expect(refused.headers["x-ratelimit-limit"]).toBe("10000");
      }
    }
    expect((await read(path)).body).toBe(shown);
    const listed = await write(resource, path, 3, `"x", ${second.replace(/"$/, '-br"')}`);
    expect(listed.statusCode).toBe(200);
    expect((await write(resource, path, 4, "*")).statusCode).toBe(200);
    const gone = await remove(path, { "if-match": await tagOf(path) });
    expect([gone.statusCode, gone.body, gone.headers.etag]).toEqual([204, "", undefined]);
    expect((await read(path)).statusCode).toBe(404);
  });

  it("is changed by exactly one of two requests with the same If-Match", async () => {
    const path = await resource.make(t);
    for (let round = 0; round < 3; round += 1) {
      const tag = await tagOf(path);
      const answers = await Promise.all(
        [1, 2].map((n) => write(resource, path, 10 * round + n, tag)),
      );
      const won = answers.filter(({ statusCode }) => statusCode === 200);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
      expect(await tagOf(path)).toBe(won[0]?.headers.etag);
    }
    const tag = await tagOf(path);
    const answers = await Promise.all([
      write(resource, path, 90, tag),
      remove(path, { "if-match": tag }),
    ]);
    expect(answers.filter(({ statusCode }) => statusCode < 300)).toHaveLength(1);
    if ((await read(path)).statusCode === 200) await remove(path, {});
  });
});

it("PUT with If-None-Match: * makes what is not there, and replaces nothing", async () => {
  const put = TAGGED.filter(({ method }) => method === "PUT");
  expect(put).toHaveLength(3);
  for (const { make, change } of put) {
    const path = await make(t);
    const headers = { "if-none-match": "*" };
    expect((await t.send("PUT", path, ADMIN_KEY, change(1), headers)).statusCode).toBe(412);
    await remove(path, {});
    const absent = await t.send("PUT", path, ADMIN_KEY, change(1), { "if-match": "*" });
    expect(absent.statusCode).toBe(412);
    expect((await t.send("PUT", path, ADMIN_KEY, change(1), headers)).statusCode).toBe(200);
    await remove(path, {});
  }
});

it("a schedule is replaced only where If-Match names its newest revision", async () => {
  const path = "/api/v1/progress/projects/p1/schedule";
  const send = (rows: string, headers: Record<string, string>) =>
    t.app.inject({
      method: "PUT",
      url: path,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "text/csv", ...headers },
      payload: `zone,task,start,finish\n${rows}`,
    });
  const none = await send("Z1,Dig,2026-03-01,2026-03-09\n", { "if-match": "*" });
  expect(none.statusCode).toBe(412);
  const first = await send("Z1,Dig,2026-03-01,2026-03-09\n", { "if-none-match": "*" });
  expect([first.statusCode, first.headers.etag]).toEqual([201, await tagOf(path)]);
  const answers = await Promise.all(
    ["10", "11"].map((day) =>
      send(`Z1,Dig,2026-03-01,2026-03-${day}\n`, { "if-match": String(first.headers.etag) }),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 412]);
});

it("a quota is replaced only in the state that If-Match names, whatever was stored meanwhile", async () => {
  const project = await t.project();
  const path = `/api/v1/projects/${project}/storage`;
  const put = (limit_mib: number | null, headers: Record<string, string> = {}) =>
    t.send("PUT", path, ADMIN_KEY, { limit_mib }, headers);
  const first = await read(path);
  const etag = String(first.headers.etag);
  expect(etag).toMatch(TAG);
  expect((await read(path, { "if-none-match": etag })).statusCode).toBe(304);
  await t.records.storedFiles.put({ key: "images/tagged.jpg", bytes: 3 }, project);
  expect((await read(path, { "if-none-match": etag })).statusCode).toBe(200);
  const answers = await Promise.all([5, 6].map((mib) => put(mib, { "if-match": etag })));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
  const won = answers.find(({ statusCode }) => statusCode === 200);
  expect(won?.headers.etag).toBe(await tagOf(path));
  const shown = (await read(path)).body;
  for (const tag of [etag, '"x.y"', `W/${await tagOf(path)}`]) {
    const refused = await put(7, { "if-match": tag });
    expect([refused.statusCode, refused.json().error.code]).toEqual([412, "precondition_failed"]);
  }
  expect((await read(path)).body).toBe(shown);
  const restored = await put(null, { "if-match": await tagOf(path) });
  expect([restored.statusCode, restored.json().limit_bytes]).toEqual([200, null]);
  // The same limit as at first is the same state: nothing that is stored would be overwritten.
  expect((await put(5, { "if-match": etag })).statusCode).toBe(200);
  expect((await put(6)).statusCode).toBe(200);
});

it("a command is withdrawn only in the state that If-Match names", async () => {
  const made = await t.send("POST", "/api/v1/equipment/assets/a1/commands", ADMIN_KEY, {
    name: "reboot",
  });
  const path = String(made.headers.location);
  expect((await remove(path, { "if-match": '"x.y"' })).statusCode).toBe(412);
  const gone = await remove(path, { "if-match": await tagOf(path) });
  expect([gone.statusCode, gone.headers.etag]).toEqual([200, await tagOf(path)]);
});

it("If-Match of an asset holds while its position changes, and If-None-Match does not", async () => {
  const id = await t.asset({ project_id: "p1" as ProjectId, id: "moving" as AssetId });
  const path = `/api/v1/equipment/assets/${id}`;
  t.live(id);
  const before = await tagOf(path);
  t.live(id, { lastReceivedAtMs: NOON_MS });
  const after = await read(path, { "if-none-match": before });
  expect([after.statusCode, after.headers.etag === before]).toEqual([200, false]);
  const body = { name: "Crane 2" };
  const changed = await t.send("PATCH", path, ADMIN_KEY, body, { "if-match": before });
  expect([changed.statusCode, changed.json().name]).toEqual([200, "Crane 2"]);
});

it("a change without a condition is made as before", async () => {
  for (const resource of TAGGED) {
    const path = await resource.make(t);
    const answer = await t.send(resource.method, path, ADMIN_KEY, resource.change(5));
    expect([resource.name, answer.statusCode]).toEqual([resource.name, 200]);
    expect((await remove(path, {})).statusCode).toBe(204);
  }
});

it("a method that compares nothing refuses If-Match, and the contract's own routes do not know it", async () => {
  const headers = { "if-match": '"x.y"' };
  const made = await t.send("POST", "/api/v1/keys", ADMIN_KEY, { name: "x", scopes: ["admin"] });
  const revoked = await remove(`/api/v1/keys/${made.json().id}`, headers);
  expect([revoked.statusCode, revoked.json().error.code]).toEqual([412, "precondition_failed"]);
  const fence = { project_id: "p1", name: "Yard", polygon: SQUARE };
  const drawn = await t.send("POST", "/api/v1/equipment/geofences", ADMIN_KEY, fence, headers);
  expect(drawn.statusCode).toBe(201);
  const listed = await t.get("/api/v1/materials/stockpiles?project_id=p1", ADMIN_KEY, {
    "if-none-match": "*",
  });
  expect([listed.statusCode, listed.headers.etag]).toEqual([200, undefined]);
});

it("a condition is compared after the key, the scope, the body and the resource", async () => {
  const path = await (TAGGED[0] as TaggedResource).make(t);
  const headers = { "if-match": '"x.y"' };
  const reader = await t.key({ scopes: ["equipment:read"] });
  const statuses = [
    await t.send("PATCH", path, undefined, { name: "x" }, headers),
    await t.send("PATCH", path, reader, { name: "x" }, headers),
    await t.send("PATCH", path, ADMIN_KEY, { name: 1 }, headers),
    await t.send("PATCH", "/api/v1/projects/nothing", ADMIN_KEY, { name: "x" }, headers),
    await t.send("DELETE", "/api/v1/projects/nothing", ADMIN_KEY, undefined, headers),
  ].map(({ statusCode }) => statusCode);
  expect(statuses).toEqual([401, 403, 400, 404, 404]);
});

it("an Idempotency-Key repeats the stored answer whatever became of the resource and its tag", async () => {
  const body = { name: "Quay", location: { latitude: 53.5, longitude: 9.9 } };
  const headers = { "idempotency-key": "tagged" };
  const first = await t.send("POST", "/api/v1/projects", ADMIN_KEY, body, headers);
  const path = String(first.headers.location);
  const etag = await tagOf(path);
  const change = { name: "Quay 2" };
  await t.send("PATCH", path, ADMIN_KEY, change, { "if-match": etag });
  const again = await t.send("POST", "/api/v1/projects", ADMIN_KEY, body, {
    ...headers,
    "if-match": etag,
  });
  expect([again.statusCode, again.body]).toEqual([201, first.body]);
  expect(again.headers["idempotent-replayed"]).toBe("true");
});

it("a long list of tags is compared at once", async () => {
  const path = await (TAGGED[0] as TaggedResource).make(t);
  const etag = await tagOf(path);
  const many = Array.from({ length: 200_000 }, (_, i) => `"${i}"`).join(",");
  const beganMs = performance.now();
  expect((await read(path, { "if-none-match": `${many},${etag}` })).statusCode).toBe(304);
  const changed = await write(TAGGED[0] as TaggedResource, path, 1, `${many},${etag}`);
  expect(changed.statusCode).toBe(200);
  // Two hundred thousand tags are a hundred times what Node takes as headers.
  expect(performance.now() - beganMs).toBeLessThan(10_000);
});

it("GeoJSON and CSV of a resource have tags of their own, which If-Match takes like that of JSON", async () => {
  const zone = TAGGED.find(({ name }) => name === "zone") as TaggedResource;
  const path = await zone.make(t);
  const tags = await Promise.all(
    ["application/json", "application/geo+json", "text/csv"].map(async (accept) =>
      String((await read(path, { accept })).headers.etag),
    ),
  );
  expect(new Set(tags).size).toBe(3);
  expect(new Set(tags.map((tag) => tag.split(".")[0])).size).toBe(1);
  expect((await write(zone, path, 1, String(tags[1]))).statusCode).toBe(200);
});

it("the tag of a compressed answer is taken for that of the same answer as it is", async () => {
  const zone = TAGGED.find(({ name }) => name === "zone") as TaggedResource;
  const path = await zone.make(t);
  const codes = Array.from({ length: 60 }, (_, i) => `A-${i}-of-the-schedule`);
  await t.send("PATCH", path, ADMIN_KEY, { activities: { codes } });
  const answer = await read(path, { "accept-encoding": "br" });
  const etag = String(answer.headers.etag);
  expect(etag).toMatch(/^"[\w-]{16}\.[\w-]{16}-br"$/);
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe((await read(path)).body);
  expect((await read(path, { "if-none-match": etag })).statusCode).toBe(304);
  expect((await write(zone, path, 1, etag)).statusCode).toBe(200);
});

/** Some 100 m by 100 m. */
const SQUARE = [
  [53.5, 9.9],
  [53.501, 9.9],
  [53.501, 9.9015],
  [53.5, 9.9015],
];
