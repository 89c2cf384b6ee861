import { expect, it } from "vitest";
import type { FleetSourceAuth } from "../../../../../storage/ports/equipment/fleet-sources.ts";
import { type FleetSite, fleet, openFleetSite, SOURCE } from "../../../../support/fleet-site.ts";
import { answering } from "../../../../support/http-receiver.ts";

const HOUR_MS = 3_600_000;
const later = (t: FleetSite) => {
  t.clock.ms += HOUR_MS;
};

it.each<[string, (t: FleetSite) => FleetSourceAuth, Record<string, string>]>([
  [
    "basic, in UTF-8",
    (t) => ({ kind: "basic", username: "josé", sealedPassword: t.sealed("pass:wörd") }),
    { authorization: `Basic ${Buffer.from("josé:pass:wörd").toString("base64")}` },
  ],
  [
    "a token",
    (t) => ({ kind: "bearer", sealedToken: t.sealed("t0ken") }),
    { authorization: "Bearer t0ken" },
  ],
  [
    "a key in a header",
    (t) => ({ kind: "api_key_header", name: "X-Api-Key", sealedValue: t.sealed("k3y") }),
    { "x-api-key": "k3y" },
  ],
])("logs in by %s", async (_name, auth, headers) => {
  await using t = await openFleetSite();
  await t.change({ auth: auth(t) });
  t.server.answer = (_request, response) => response.end(fleet([]));
  expect(await t.poll()).not.toHaveProperty("failure");
  expect(t.server.received).toMatchObject([{ headers }]);
  expect(t.server.received[0]?.headers["accept"]).toMatch(/^application\/xml/);
});

it("the client of another maker's fleet sends credentials to the source's own server alone", async () => {
  await using t = await openFleetSite();
  await using elsewhere = await openFleetSite();
  await t.change({ auth: { kind: "bearer", sealedToken: t.sealed("t0ken") } });
  const next = `http://127.0.0.1:${elsewhere.server.port}/iso15143-3/Fleet/2`;
  t.server.answer = (_request, response) => response.end(fleet([], next));
  await t.poll();
  t.server.answer = (_request, response) => response.writeHead(302, { location: next }).end();
  later(t);
  expect(await t.poll()).toMatchObject({ failure: "answered 302" });
  expect(elsewhere.server.connections).toBe(0);
});

it("the client of another maker's fleet reports credentials sealed with another key, and sends no request", async () => {
  await using t = await openFleetSite();
  await t.change({ auth: { kind: "bearer", sealedToken: Buffer.alloc(40).toString("base64") } });
  expect(await t.poll()).toMatchObject({ failure: expect.stringContaining("SECRET_KEY") });
  expect(t.server.received).toEqual([]);
});

/** A server whose tokens last 600 s and are named by their number, and a source that knows how to get them. */
async function openOauth(isBodyOnly = false) {
  const t = await openFleetSite();
  const valid = new Set<string>();
  const tokens = { areGood: true };
  let seen = 0;
  /** Beginnings of the paths that were asked for since the last call. */
  const asked = (): readonly string[] => {
    const since = t.server.received.slice(seen);
    seen += since.length;
    return since.map(({ path }) => path.slice(0, 6));
  };
  let made = 0;
  await t.change({
    auth: {
      kind: "oauth2_client_credentials",
      tokenUrl: `http://127.0.0.1:${t.server.port}/token`,
      clientId: "plumb line",
      sealedClientSecret: t.sealed("s&cret"),
      scope: "fleet read",
    },
  });
  t.server.answer = ({ path, headers, body }, response) => {
    if (path !== "/token") {
      const isValid = valid.has(headers.authorization ?? "");
      response.writeHead(isValid ? 200 : 401).end(isValid ? fleet([]) : "");
      return;
    }
    const given = new URLSearchParams(body);
    const basic = `Basic ${Buffer.from("plumb%20line:s%26cret").toString("base64")}`;
    const isClient = isBodyOnly
      ? given.get("client_id") === "plumb line" && given.get("client_secret") === "s&cret"
      : headers.authorization === basic;
    if (!isClient || given.get("grant_type") !== "client_credentials") {
      response.writeHead(400).end('{"error":"invalid_client"}');
      return;
    }
    made += 1;
    if (tokens.areGood) valid.add(`Bearer token${made}`);
    response.end(`{"access_token":"token${made}","token_type":"bearer","expires_in":"600"}`);
  };
  return Object.assign(t, { valid, tokens, asked });
}

it.each([
  false,
  true,
])("the client of another maker's fleet gets a token and keeps it while it lasts (client in the body: %s)", async (isBodyOnly) => {
  await using t = await openOauth(isBodyOnly);
  const first = await t.poll();
  expect(first).not.toHaveProperty("failure");
  expect(new URLSearchParams(t.server.received[0]?.body).get("scope")).toBe("fleet read");
  const tokens = isBodyOnly ? ["/token", "/token"] : ["/token"];
  expect(t.asked()).toEqual([...tokens, "/iso15"]);
  await t.records.fleetSources.requestPoll(SOURCE, 1);
  await t.poll();
  expect(t.asked()).toEqual(["/iso15"]);
  // It is not used in the last tenth of its life.
  t.clock.ms += 545_000;
  await t.records.fleetSources.requestPoll(SOURCE, 2);
  expect(await t.poll()).not.toHaveProperty("failure");
  expect(t.asked()).toEqual([...tokens, "/iso15"]);
});

it.each([
  ["a client with a secret", { clientId: "app", secret: "s&cret" }],
  ["a client without one", { clientId: "app", secret: undefined }],
  ["no client", { clientId: undefined, secret: undefined }],
])("the client of another maker's fleet logs in for a user, by %s", async (_name, {
  clientId,
  secret,
}) => {
  await using t = await openFleetSite();
  await t.change({
    auth: {
      kind: "oauth2_password",
      tokenUrl: `http://127.0.0.1:${t.server.port}/token`,
      username: "owner@site",
      sealedPassword: t.sealed("pass&wörd"),
      ...(clientId === undefined ? {} : { clientId }),
      ...(secret === undefined ? {} : { sealedClientSecret: t.sealed(secret) }),
    },
  });
  t.server.answer = ({ path }, response) =>
    response.end(path === "/token" ? '{"access_token":"t1"}' : fleet([]));
  expect(await t.poll()).not.toHaveProperty("failure");
  const [login, page] = t.server.received;
  const client = clientId === undefined || secret !== undefined ? {} : { client_id: clientId };
  expect(Object.fromEntries(new URLSearchParams(login?.body))).toEqual({
    grant_type: "password",
    username: "owner@site",
    password: "pass&wörd",
    ...client,
  });
  const basic = `Basic ${Buffer.from("app:s%26cret").toString("base64")}`;
  expect(login?.headers.authorization).toBe(secret === undefined ? undefined : basic);
  expect(page?.headers.authorization).toBe("Bearer t1");
});

it("the client of another maker's fleet does not ask again with the password of a user that was refused", async () => {
  await using t = await openOauth();
  t.server.answer = (_request, response) =>
    response.writeHead(400).end('{"error":"invalid_grant"}');
  expect(await t.poll()).toMatchObject({ httpStatus: 400 });
  expect(t.asked()).toEqual(["/token"]);
});

it("the client of another maker's fleet gets another token when one ends early, and does not try for ever", async () => {
  await using t = await openOauth();
  await t.poll();
  t.valid.clear();
  t.asked();
  await t.records.fleetSources.requestPoll(SOURCE, 1);
  expect(await t.poll()).not.toHaveProperty("failure");
  expect(t.asked()).toEqual(["/iso15", "/token", "/iso15"]);
  t.tokens.areGood = false;
  t.valid.clear();
  await t.records.fleetSources.requestPoll(SOURCE, 2);
  const poll = await t.poll();
  expect(poll).toMatchObject({ httpStatus: 401, consecutiveFailures: 1 });
  expect(t.asked()).toEqual(["/iso15", "/token", "/iso15"]);
});

it.each([
  [
    "refuses the client",
    answering(400),
    "the log-in answered 400: the credentials were refused",
    400,
  ],
  ["is away", answering(503, { "retry-after": "1800" }), "the log-in answered 503", 503],
  ["sends a page", answering(200), "the log-in answered without a token", 200],
])("the client reports the failure when the token server %s", async (_name, answer, failure, httpStatus) => {
  await using t = await openOauth();
  t.server.answer = answer;
  const poll = await t.poll();
  expect(poll).toMatchObject({ failure, httpStatus, consecutiveFailures: 1 });
  const waits: Record<number, number> = { 400: HOUR_MS, 503: 1_800_000, 200: 60_000 };
  expect(poll.nextPollAtMs - poll.finishedAtMs).toBe(waits[httpStatus]);
});

it.each([
  401, 403,
])("the client of another maker's fleet waits an hour after credentials were refused by %i, and says so", async (status) => {
  await using t = await openFleetSite();
  await t.change({ auth: { kind: "bearer", sealedToken: t.sealed("old") } });
  t.server.answer = answering(status);
  const poll = await t.poll();
  expect(poll).toMatchObject({ failure: `answered ${status}: the credentials were refused` });
  expect(poll.nextPollAtMs - poll.finishedAtMs).toBe(HOUR_MS);
  // New ones are tried at once.
  await t.change({ auth: { kind: "bearer", sealedToken: t.sealed("new") } });
  t.server.answer = (_request, response) => response.end(fleet([]));
  expect(await t.poll()).toMatchObject({ consecutiveFailures: 0 });
  expect(t.server.received.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer old",
    "Bearer new",
  ]);
});
