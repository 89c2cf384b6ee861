import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { resolveLink } from "../../../../ingest/iso15143/client/pages/next-link.ts";
import { createAddressRules } from "../../../../outbound/address-rules.ts";
import { openOutboundClient } from "../../../../outbound/client.ts";
import {
  type FleetSite,
  fleet,
  MAX_PAGES,
  machine,
  NOON_MS,
  openFleetSite,
  section,
  serving,
} from "../../../support/fleet-site.ts";
import type { HttpReceiver } from "../../../support/http-receiver.ts";

const FIRST = "/iso15143-3/Fleet/1";
const hours = (value: number, at = NOON_MS) =>
  section("CumulativeOperatingHours", at, `<Hour>${value}</Hour>`);
const paths = (t: FleetSite) => t.server.received.map(({ path }) => path);

describe("the pages of a fleet", () => {
  it("the pages of a fleet are followed by relative links, of the path and of the page, and each machine is taken", async () => {
    await using t = await openFleetSite({ assets: { a: "A", b: "B", c: "C" } });
    t.server.answer = serving({
      [FIRST]: fleet([machine("A", hours(1))], "2"),
      "/iso15143-3/Fleet/2": fleet([machine("B", hours(2))], "/other/3?x=1#part"),
      "/other/3?x=1": fleet([machine("C", hours(3))]),
    });
    expect(await t.poll()).toMatchObject({ pages: 3, machines: 3, readings: 3, problems: [] });
    expect(Object.keys(t.taken())).toEqual(["a", "b", "c"]);
  });

  it("the pages of a fleet are followed by links that begin at the API's base, as Proemion has them", async () => {
    await using t = await openFleetSite({ assets: { a: "A", b: "B", c: "C" } });
    t.server.answer = serving({
      [FIRST]: fleet([machine("A", hours(1))], "/Fleet/2"),
      "/iso15143-3/Fleet/2": fleet([machine("B", hours(2))], "/Fleet/3?x=1"),
      "/iso15143-3/Fleet/3?x=1": fleet([machine("C", hours(3))]),
    });
    expect(await t.poll()).toMatchObject({ pages: 3, readings: 3, problems: [] });
  });

  it("the pages of a fleet have levels as percent once one has shown it: a last machine with 0.8 % has no 80 %", async () => {
    await using t = await openFleetSite({ assets: { a: "A", b: "B" } });
    const level = (percent: number, at: number) =>
      section("FuelRemaining", at, `<Percent>${percent}</Percent>`);
    t.server.answer = serving({
      [FIRST]: fleet([machine("A", level(62.4, NOON_MS))], "2"),
      "/iso15143-3/Fleet/2": fleet([machine("B", level(0.8, NOON_MS))]),
    });
    await t.poll();
    const at = new Date(NOON_MS).toISOString();
    expect(t.taken()["b"]).toEqual({ [at]: { fuel_level_percent: 0.8 } });
    t.clock.ms += 3_600_000;
    t.server.answer = serving({ [FIRST]: fleet([machine("A", level(0.4, t.clock.ms))]) });
    await t.poll();
    expect(t.taken()["a"]).toEqual({
      [new Date(t.clock.ms).toISOString()]: { fuel_level_percent: 0.4 },
    });
  });

  it.each([
    ["/Fleet/2", "/Fleet/1", "/Fleet/2"],
    ["/Fleet/2", "/aemp/fleet", "/aemp/fleet/2"],
    ["/aemp/Fleet/2", "/aemp/Fleet/1", "/aemp/Fleet/2"],
    ["/fleet/2", "/fleet/aemp/Fleet/1", "/fleet/aemp/Fleet/2"],
    ["/Fleet/2/rest", "/aemp/Fleet/1", "/Fleet/2/rest"],
    [
      "/Fleet/Equipment/A/Faults/2",
      "/aemp/fleet/Equipment/A/Faults/1",
      "/aemp/fleet/Equipment/A/Faults/2",
    ],
    ["/Fleet/Equipment/A/Faults/2", "/Fleet/Equipment/A/Faults/1", "/Fleet/Equipment/A/Faults/2"],
  ])("the pages of a fleet lead by %s of %s to %s", (href, page, to) => {
    const found = resolveLink(href, `https://maker.example${page}`);
    expect(found?.href).toBe(`https://maker.example${to}`);
  });

  it.each([
    ["to another host", "http://127.0.0.2:1/Fleet/2", "leads to another server"],
    ["to another scheme", "https://127.0.0.1/Fleet/2", "leads to another server"],
    ["to a file", "file:///etc/passwd", "leads to another server"],
    ["nowhere", "http://[", "leads to another server"],
    ["to itself", FIRST, "a page that was read already"],
    ["to itself with a fragment", `${FIRST}#again`, "a page that was read already"],
  ])("the pages of a fleet end at a link %s, with a problem and all that was taken", async (_name, next, problem) => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    t.server.answer = serving({ [FIRST]: fleet([machine("A", hours(1))], next) });
    const poll = await t.poll();
    expect(poll).toMatchObject({ readings: 1, consecutiveFailures: 0, problemCount: 1 });
    expect(poll.problems).toEqual([{ where: "page 1", problem: expect.stringContaining(problem) }]);
    expect(paths(t)).toEqual([FIRST]);
  });

  it("the pages of a fleet end behind the last one, which some servers link to; without a first one it is a failure", async () => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    t.server.answer = serving({ [FIRST]: fleet([machine("A", hours(1))], "2") });
    const poll = await t.poll();
    expect(poll).toMatchObject({ pages: 1, readings: 1, consecutiveFailures: 0 });
    expect(poll.problems).toEqual([
      { where: "page 2", problem: "answered 404, which ends the fleet" },
    ]);
    t.server.answer = serving({});
    t.clock.ms += 3_600_000;
    expect(await t.poll()).toMatchObject({ failure: "answered 404", consecutiveFailures: 1 });
  });

  it("the pages of a fleet that fail later keep what was taken before, and all is asked for again", async () => {
    await using t = await openFleetSite({ assets: { a: "A", b: "B" } });
    const first = fleet([machine("A", hours(1))], "2");
    t.server.answer = ({ path }, response) => {
      response.writeHead(path === FIRST ? 200 : 500).end(first);
    };
    expect(await t.poll()).toMatchObject({ failure: "answered 500", pages: 1, readings: 1 });
    t.server.answer = serving({
      [FIRST]: first,
      "/iso15143-3/Fleet/2": fleet([machine("B", hours(2))]),
    });
    t.clock.ms += 120_000;
    expect(await t.poll()).toMatchObject({ pages: 2, readings: 1, consecutiveFailures: 0 });
    expect(Object.keys(t.taken())).toEqual(["a", "b"]);
  });

  it("the pages of a fleet end after a loop of several pages, and after as many as are read", async () => {
    await using t = await openFleetSite();
    t.server.answer = serving({ [FIRST]: fleet([], "2"), "/iso15143-3/Fleet/2": fleet([], "1") });
    expect(await t.poll()).toMatchObject({ pages: 2, problemCount: 1 });
    t.server.answer = ({ path }, response) => {
      response.end(fleet([], String(Number(path.split("/").at(-1)) + 1)));
    };
    t.clock.ms += 3_600_000;
    expect(await t.poll()).toMatchObject({
      pages: MAX_PAGES,
      problems: [{ where: "page 20", problem: "more than 20 pages; the rest is not read" }],
    });
  });

  it.each([
    ["https://maker.example/api", "https://maker.example/api/Fleet/1"],
    ["https://maker.example/api/", "https://maker.example/api/Fleet/1"],
    ["https://maker.example", "https://maker.example/Fleet/1"],
    ["https://maker.example/aemp/Fleet/1", "https://maker.example/aemp/Fleet/1"],
    ["https://maker.example/aemp/fleet", "https://maker.example/aemp/fleet"],
    ["https://maker.example/fleet/aemp", "https://maker.example/fleet/aemp/Fleet/1"],
    ["https://maker.example/telematics.xml", "https://maker.example/telematics.xml"],
    ["https://maker.example/all?site=7#x", "https://maker.example/all?site=7"],
  ])("the pages of a fleet of %s begin at %s", async (url, first) => {
    const { firstPageUrl } = await import("../../../../ingest/iso15143/client/pages/first-page.ts");
    expect(firstPageUrl(url)).toBe(first);
  });
});

it("a source is not connected to an address that the rules forbid, whatever was said when it was registered", async () => {
  const outbound = openOutboundClient({
    rules: createAddressRules([]),
    resolve: async () => ["127.0.0.1"],
  });
  await using t = await openFleetSite({ wrap: () => outbound });
  expect(await t.poll()).toMatchObject({ failure: "blocked", pages: 0 });
  await t.change({ url: `http://maker.example:${t.server.port}/` });
  expect(await t.poll()).toMatchObject({ failure: "blocked", pages: 0 });
  await t.change({
    url: `http://127.0.0.1:${t.server.port}/`,
    auth: {
      kind: "oauth2_client_credentials",
      tokenUrl: `http://127.0.0.1:${t.server.port}/token`,
      clientId: "a",
      sealedClientSecret: t.sealed("b"),
    },
  });
  expect(await t.poll()).toMatchObject({ failure: "blocked", pages: 0 });
  expect(t.server.connections).toBe(0);
  outbound.close();
});

describe("a page that is as it was", () => {
  /** Answers with a tag and a date by the page, and 304 to whoever has them. */
  const tagging =
    (pages: Readonly<Record<string, string>>): HttpReceiver["answer"] =>
    ({ path, headers }, response) => {
      const body = pages[path] ?? "";
      const etag = `"${body.length}"`;
      if (headers["if-none-match"] === etag) response.writeHead(304).end();
      else
        response
          .writeHead(200, { etag, "last-modified": "Thu, 05 Mar 2026 11:00:00 GMT" })
          .end(body);
    };

  it("a page that is as it was is not sent again; the pages behind it are asked for, and it counts as it did", async () => {
    await using t = await openFleetSite({ assets: { a: "A", b: "B" } });
    const pages = {
      [FIRST]: fleet([machine("A", hours(1)), machine("X"), "<Equipment/>"], "2"),
      "/iso15143-3/Fleet/2": fleet([machine("B", hours(2))]),
    };
    t.server.answer = tagging(pages);
    const first = await t.poll();
    expect(first).toMatchObject({ pages: 2, unchangedPages: 0, machines: 4, readings: 2 });
    t.clock.ms += 900_000;
    t.server.answer = tagging({
      ...pages,
      "/iso15143-3/Fleet/2": fleet([machine("B", hours(20, NOON_MS + 1))]),
    });
    const second = await t.poll();
    expect(second).toMatchObject({ httpStatus: 200, pages: 2, unchangedPages: 1, readings: 1 });
    expect(second).toMatchObject({
      machines: 4,
      matchedMachines: 2,
      unmatched: [{ pin: "X" }, {}],
    });
    t.clock.ms += 900_000;
    expect(await t.poll()).toMatchObject({ httpStatus: 304, unchangedPages: 2, readings: 0 });
    expect(t.server.received[2]?.headers).toMatchObject({
      "if-none-match": expect.any(String),
      "if-modified-since": "Thu, 05 Mar 2026 11:00:00 GMT",
    });
    expect(t.counters).toMatchObject({ fleet_pages: 6, fleet_pages_unchanged: 3 });
  });

  it("a page that is as it was is read anew when an asset was registered meanwhile, and after the source was changed", async () => {
    await using t = await openFleetSite({ assets: {} });
    t.server.answer = tagging({ [FIRST]: fleet([machine("A", hours(1))]) });
    expect(await t.poll()).toMatchObject({ matchedMachines: 0, unmatchedCount: 1 });
    t.register("a", "A");
    t.clock.ms += 900_000;
    expect(await t.poll()).toMatchObject({ matchedMachines: 1, readings: 1, unchangedPages: 0 });
    await t.change({ name: "renamed" });
    expect(await t.poll()).toMatchObject({ readings: 0, unchangedPages: 0 });
    expect(t.server.received.map(({ headers }) => headers["if-none-match"])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is a failure when nobody asked whether it is", async () => {
    await using t = await openFleetSite();
    t.server.answer = (_request, response) => response.writeHead(304).end();
    expect(await t.poll()).toMatchObject({ failure: "answered 304", httpStatus: 304 });
  });
});

describe("an answer that means harm", () => {
  const bomb = `<!DOCTYPE a [<!ENTITY a "${"x".repeat(1_000)}"><!ENTITY b "&a;&a;&a;&a;">]><Fleet>&b;</Fleet>`;

  it.each([
    ["entities that unfold", bomb, {}, "document type"],
    [
      "an entity of the system",
      '<!DOCTYPE a SYSTEM "file:///etc/passwd"><Fleet/>',
      {},
      "document type",
    ],
    ["nesting", "<a>".repeat(10_000), {}, "nested deeper"],
    ["attributes without end", `<Fleet ${attributes(210_000)}/>`, {}, "parts"],
    ["100 MB", Buffer.alloc(100_000_000, " "), {}, "too large"],
    [
      "100 MB in a small parcel",
      gzipSync(Buffer.alloc(100_000_000)),
      { "content-encoding": "gzip" },
      "too large",
    ],
    ["a page of a person", "<html><body>Log in</body></html>", {}, "neither a fleet nor equipment"],
    ["no text", Buffer.from([0x3c, 0xff, 0x3e]), {}, "not UTF-8"],
    ["nothing", "", {}, "neither XML nor JSON"],
    [
      "a machine for each of 1,001 tags",
      fleet(Array(1_001).fill("<Equipment/>")),
      {},
      "1001 machines",
    ],
  ])("a harmful answer is reported and not taken: %s", async (_name, body, headers, problem) => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    t.server.answer = (_request, response) => response.writeHead(200, headers).end(body);
    const poll = await t.poll();
    expect(poll).toMatchObject({ consecutiveFailures: 1, readings: 0, pages: 0 });
    expect(poll.failure).toContain(problem);
  });

  function attributes(count: number): string {
    return Array.from({ length: count }, (_, i) => `a${i}="1"`).join(" ");
  }

  it("a harmful answer that never ends is cut by its time", async () => {
    await using t = await openFleetSite({
      wrap: (outbound) => ({ send: (request) => outbound.send({ ...request, totalMs: 60 }) }),
    });
    t.server.answer = (_request, response) => response.writeHead(200).write("<Fleet>");
    expect(await t.poll()).toMatchObject({ failure: "timeout", consecutiveFailures: 1 });
  });

  it("names and problems of a harmful answer are kept short", async () => {
    await using t = await openFleetSite({ assets: { a: "A" } });
    const bad = section("FuelRemaining", NOON_MS, "<Percent>430</Percent>");
    const machines = Array.from({ length: 200 }, (_, i) => machine(`${i}${"x".repeat(5_000)}`));
    t.server.answer = serving({ [FIRST]: fleet([machine("A", bad, bad), ...machines]) });
    const poll = await t.poll();
    expect(poll.problems).toEqual([
      { where: "A", problem: expect.stringContaining("fuel_level_percent: outside") },
    ]);
    expect([poll.unmatched.length, poll.unmatchedCount]).toEqual([100, 200]);
    expect(poll.unmatched[0]?.pin).toHaveLength(200);
  });
});
