import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { PGLITE, POSTGRES, type TestRecords } from "../../support/databases.ts";
import { emptyRows } from "../../support/memory-records/rows.ts";
import { preparePostSite } from "../../support/post-routes.ts";
import { TAGGED } from "../../support/tagged-resources.ts";

const BACKENDS = [PGLITE, POSTGRES].filter(
  ({ absent, required }) => absent === undefined || required,
);

describe.each(BACKENDS.map((backend) => [backend.name, backend] as const))("%s", (_, backend) => {
  let database: TestRecords;
  let t: TestApp;
  beforeAll(async () => {
    database = await backend.open();
    const counted = { keyLookups: 0, sessionLookups: 0 };
    const records = { ...database.store, rows: emptyRows(), away: false, ...counted };
    t = await openTestApp({ records });
    await preparePostSite(t);
  });
  afterAll(async () => {
    await t?.[Symbol.asyncDispose]();
    await database?.close();
  });

  const tagOf = async (path: string) => String((await t.get(path, ADMIN_KEY)).headers.etag);

  it.each(
    TAGGED.map((resource) => [resource.name, resource] as const),
  )("stores one of two changes of a %s with the same If-Match, and reads back the state that was tagged", async (_name, {
    make,
    method,
    change,
  }) => {
    const path = await make(t);
    const write = (n: number, tag: string) =>
      t.send(method, path, ADMIN_KEY, change(n), { "if-match": tag });
    for (let round = 1; round <= 3; round += 1) {
      const tag = await tagOf(path);
      const answers = await Promise.all([0, 1].map((i) => write(10 * round + i, tag)));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
      const won = answers.find(({ statusCode }) => statusCode === 200);
      expect(await tagOf(path)).toBe(won?.headers.etag);
    }
    const tag = await tagOf(path);
    const removed = await Promise.all(
      [0, 1].map(() => t.send("DELETE", path, ADMIN_KEY, undefined, { "if-match": tag })),
    );
    expect(removed.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1);
    expect((await t.get(path, ADMIN_KEY)).statusCode).toBe(404);
  });

  it("a refused removal leaves the resource and its versions as they are", async () => {
    const fence = TAGGED.find(({ name }) => name === "geofence");
    const path = (await fence?.make(t)) ?? "";
    const before = await t.records.geofences.changesSince(0);
    const refused = await t.send("DELETE", path, ADMIN_KEY, undefined, { "if-match": '"x.y"' });
    expect(refused.statusCode).toBe(412);
    expect(await t.records.geofences.changesSince(0)).toEqual(before);
  });
});
