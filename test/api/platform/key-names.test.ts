import { describe, expect, it } from "vitest";
import type { ApiKeyId, ProjectId } from "../../../domain/ids.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { sharedTestApp } from "../../support/shared-app.ts";

const KEYS = "/api/v1/keys";
const MARKUP = `<img src=x onerror="document.title='owned'">`;
/** With an override, which would turn what follows it around. */
const RIGHT_TO_LEFT = "\u202Eرافعة 7 חופר";

/** Makes a key and yields its path and its secret. */
async function made(t: TestApp, body: object = {}): Promise<{ path: string; key: string }> {
  const answer = await t.send("POST", KEYS, ADMIN_KEY, {
    ...{ name: "reader", scopes: ["equipment:read"] },
    ...body,
  });
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  const { id, key } = answer.json();
  return { path: `${KEYS}/${id}`, key };
}

const rename = (t: TestApp, path: string, name: unknown, tag?: string, key = ADMIN_KEY) =>
  t.send("PATCH", path, key, { name }, tag === undefined ? {} : { "if-match": tag });

describe("the name of a key", () => {
  const shared = sharedTestApp();

  it("the name of a key is changed, and nothing else of it: it works on, under the new name", async () => {
    const { t } = shared;
    const project = await t.project();
    const { path, key } = await made(t, {
      ...{ project_ids: [project], expires_at: "2026-04-01T00:00:00Z" },
    });
    const before = (await t.get(path, ADMIN_KEY)).json();
    const changed = await rename(t, path, "Anna, site office");
    expect([changed.statusCode, changed.json()]).toEqual([
      200,
      { ...before, name: "Anna, site office" },
    ]);
    expect((await t.get(path, ADMIN_KEY)).json()).toEqual(changed.json());
    const listed = (await t.get(`${KEYS}?limit=1000`, ADMIN_KEY)).json().data;
    expect(listed).toContainEqual(changed.json());
    expect((await t.get(`${KEYS}/self`, key)).json().name).toBe("Anna, site office");
    expect(before).not.toHaveProperty("hash");
  });

  it.each([
    MARKUP,
    RIGHT_TO_LEFT,
    "=HYPERLINK(1)",
    "N".repeat(200),
  ])("the name %j of a key is stored and given back as it is, and a spreadsheet computes nothing of it", async (name) => {
    const { t } = shared;
    const { path } = await made(t);
    const changed = await rename(t, path, name);
    expect([changed.statusCode, changed.json().name]).toEqual([200, name]);
    expect((await t.get(path, ADMIN_KEY)).json().name).toBe(name);
    const csv = await t.get(`${KEYS}?limit=1000`, ADMIN_KEY, { accept: "text/csv" });
    expect(csv.body).not.toMatch(/,=HYPERLINK/);
  });

  it.each([
    ["an empty name", ""],
    ["one of 201 characters", "N".repeat(201)],
    ["a number", 7],
    ["null", null],
    ["no name", undefined],
  ])("the name of a key is not changed to %s: 400 names the field", async (_name, name) => {
    const { t } = shared;
    const { path } = await made(t);
    const refused = await rename(t, path, name);
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, "invalid_parameter"]);
    expect(refused.json().error.details[0].parameter).toBe("name");
    expect((await t.get(path, ADMIN_KEY)).json().name).toBe("reader");
  });

  it("rights of a key are not changed with its name, and the answer says which fields were ignored", async () => {
    const { t } = shared;
    const { path, key } = await made(t);
    const body = { name: "other", scopes: ["admin"], plan: "enterprise", project_ids: [] };
    const changed = await t.send("PATCH", path, ADMIN_KEY, body);
    expect(changed.json()).toMatchObject({ scopes: ["equipment:read"], plan: "standard" });
    expect(String(changed.headers["x-ignored-fields"])).toContain("scopes");
    expect((await t.get(KEYS, key)).statusCode).toBe(403);
  });

  it("keys that may not make keys neither read nor rename one: the scopes of others, and administrators of some projects", async () => {
    const { t } = shared;
    const project = await t.project({ id: `p${t.records.rows.projects.size}` as ProjectId });
    const { path } = await made(t, { project_ids: [project] });
    const keys = await Promise.all([
      t.key({ scopes: ["equipment:write", "events:read"] }),
      t.key({ scopes: ["admin"], project_ids: [project] }),
      t.key({ scopes: ["admin"], project_ids: [] }),
    ]);
    for (const key of keys) {
      // Of one that exists and one that does not alike: the answer says nothing of others' keys.
      for (const one of [path, `${KEYS}/key_absent`]) {
        expect((await t.get(one, key)).statusCode).toBe(403);
        expect((await rename(t, one, "taken over", undefined, key)).statusCode).toBe(403);
      }
    }
    expect((await t.get(path, undefined)).statusCode).toBe(401);
    expect((await t.send("PATCH", path, undefined, { name: "x" })).statusCode).toBe(401);
    expect((await t.get(path, ADMIN_KEY)).json().name).toBe("reader");
  });

  it("a key that is not there is 404, as are the one of the environment and text that is no id", async () => {
    const { t } = shared;
    for (const id of ["key_absent", "admin", "a%00b", "x".repeat(65)]) {
      const read = await t.get(`${KEYS}/${id}`, ADMIN_KEY);
      const renamed = await rename(t, `${KEYS}/${id}`, "x");
      expect([id, read.statusCode, renamed.statusCode]).toEqual([id, 404, 404]);
    }
  });

  it("the name of a revoked key can be changed: lists and logs show it", async () => {
    const { t } = shared;
    const { path } = await made(t);
    await t.send("DELETE", path, ADMIN_KEY);
    const changed = await rename(t, path, "Left in March");
    expect(changed.json()).toMatchObject({
      name: "Left in March",
      revoked_at: "2026-03-05T12:00:00.000Z",
    });
  });

  it("the name of a key is changed only in the state that If-Match names, and its uses do not change that state", async () => {
    await using t = await openTestApp();
    const { path } = await made(t);
    const first = await t.get(path, ADMIN_KEY);
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[\w-]{16}\.[\w-]{16}"$/);
    expect((await t.get(path, ADMIN_KEY, { "if-none-match": etag })).statusCode).toBe(304);
    const [row] = [...t.records.rows.keys.values()];
    await t.records.apiKeys.touch(row?.key.id as ApiKeyId, "2026-03-05T12:00:01.000Z");
    expect((await t.get(path, ADMIN_KEY, { "if-none-match": etag })).statusCode).toBe(200);
    const answers = await Promise.all(["b", "c"].map((name) => rename(t, path, name, etag)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412]);
    const won = answers.find(({ statusCode }) => statusCode === 200);
    const now = await t.get(path, ADMIN_KEY);
    expect([now.json().name, now.headers.etag]).toEqual([won?.json().name, won?.headers.etag]);
    for (const tag of [etag, `W/${won?.headers.etag}`, '"x.y"']) {
      const refused = await rename(t, path, "d", tag);
      expect([refused.statusCode, refused.json().error.code]).toEqual([412, "precondition_failed"]);
    }
    expect((await rename(t, path, "e", String(won?.headers.etag))).statusCode).toBe(200);
    expect((await rename(t, path, "f", "*")).statusCode).toBe(200);
  });
});
