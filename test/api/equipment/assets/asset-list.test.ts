import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../../domain/ids.ts";
import { ADMIN_KEY, FIX, NOON_MS, openTestApp, type TestApp } from "../../../support/api-app.ts";
import { seededRandom } from "../../../support/seeded-random.ts";

const ASSETS = "/api/v1/equipment/assets";

/** A list of more machines than are made at once, of two projects. */
async function openFleet(): Promise<{ readonly t: TestApp; readonly ids: AssetId[] }> {
  const t = await openTestApp();
  const ids: AssetId[] = [];
  for (const id of ["p1", "p2"] as ProjectId[]) {
    const project_id = await t.project({ id });
    for (let i = 0; i < 150; i += 1) {
      ids.push(await t.asset({ project_id, id: `${id}-${i}` as AssetId, name: `Digger ${i}` }));
    }
  }
  return { t, ids };
}

function move(t: TestApp, id: AssetId, latitude: number): void {
  const nowMs = t.clock.ms;
  t.live(id, { fix: { ...FIX, latitude, fixTimeMs: nowMs }, lastUpdateMs: nowMs });
}

const tagOf = (answer: { headers: Record<string, unknown> }) => String(answer.headers["etag"]);

it("the list of all machines says at any moment what a filter that takes all says, under a tag of just that", async () => {
  const { t, ids } = await openFleet();
  await using _ = t;
  const random = seededRandom(7);
  const pick = () => ids[Math.floor(random() * ids.length)] as AssetId;
  const owner = await t.key({ project_ids: ["p2" as ProjectId] });
  const bodies = new Map<string, string>();
  for (let step = 0; step < 60; step += 1) {
    const what = random();
    if (what < 0.6) for (let i = 0; i < 5; i += 1) move(t, pick(), 50 + random());
    else if (what < 0.7)
      await t.send("PATCH", `${ASSETS}/${pick()}`, ADMIN_KEY, { name: `N${step}` });
    else if (what < 0.8)
      await t.asset({ project_id: "p1" as ProjectId, id: `new-${step}` as AssetId });
    else if (what < 0.9) t.clock.ms += 400_000;
    for (const key of [ADMIN_KEY, owner]) {
      const whole = await t.get(ASSETS, key);
      const filtered = await t.get(`${ASSETS}?search=-`, key);
      expect(whole.json().data).toEqual(filtered.json().data);
      const tag = tagOf(whole);
      expect(bodies.get(tag) ?? whole.body).toBe(whole.body);
      bodies.set(tag, whole.body);
      const br = await t.get(ASSETS, key, { "accept-encoding": "br" });
      expect(brotliDecompressSync(br.rawPayload).toString()).toBe(whole.body);
    }
  }
  // Other texts have other tags.
  expect(new Set(bodies.values()).size).toBe(bodies.size);
  expect(bodies.size).toBeGreaterThan(40);
});

it("a client that has the list is answered with 304 until something in it changes, whatever it was sent as", async () => {
  const { t, ids } = await openFleet();
  await using _ = t;
  for (const encoding of ["identity", "br", "gzip"]) {
    const headers = { "accept-encoding": encoding };
    const first = await t.get(ASSETS, ADMIN_KEY, headers);
    const tag = tagOf(first);
    expect(tag.endsWith(`-${encoding}"`)).toBe(encoding !== "identity");
    const known = { ...headers, "if-none-match": tag };
    const second = await t.get(ASSETS, ADMIN_KEY, known);
    expect([second.statusCode, second.body, tagOf(second)]).toEqual([304, "", tag]);
    expect(second.headers["vary"]).toBe(first.headers["vary"]);
    move(t, ids[0] as AssetId, 40 + Math.random());
    const third = await t.get(ASSETS, ADMIN_KEY, known);
    expect([third.statusCode, tagOf(third) === tag]).toEqual([200, false]);
  }
});

it("processes with the same machines give the same tags, and an empty list has one", async () => {
  const [a, b] = [await openFleet(), await openFleet()];
  await using _a = a.t;
  await using _b = b.t;
  move(a.t, a.ids[3] as AssetId, 51);
  move(b.t, b.ids[3] as AssetId, 51);
  const [left, right] = [await a.t.get(ASSETS, ADMIN_KEY), await b.t.get(ASSETS, ADMIN_KEY)];
  expect(tagOf(left)).toBe(tagOf(right));
  expect(left.body).toBe(right.body);
  const nobody = await a.t.key({ project_ids: [] });
  const empty = await a.t.get(ASSETS, nobody);
  expect([empty.body, tagOf(empty)]).toEqual(['{"data":[]}', expect.stringMatching(/^"[^"]+"$/)]);
});

it("HEAD has the length and the tag of the list as it is, and gzip is the same text as brotli", async () => {
  const { t } = await openFleet();
  await using _ = t;
  const plain = await t.get(ASSETS, ADMIN_KEY);
  const head = await t.app.inject({
    method: "HEAD",
    url: ASSETS,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, "accept-encoding": "br" },
  });
  expect([head.body, head.headers["content-length"]]).toEqual(["", String(plain.body.length)]);
  expect(tagOf(head)).toBe(tagOf(plain));
  const gzip = await t.get(ASSETS, ADMIN_KEY, { "accept-encoding": "gzip" });
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
  expect(t.clock.ms).toBe(NOON_MS);
});
