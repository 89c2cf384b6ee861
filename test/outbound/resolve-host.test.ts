import { expect, it } from "vitest";
import { createResolver } from "../../outbound/resolve-host.ts";

const unknown = () => Promise.reject(new Error("ENOTFOUND"));

it("the resolver takes the name servers' answer and leaves the system's threads alone", async () => {
  const asked: string[] = [];
  const resolve = createResolver({
    dns: async () => ["192.0.2.1", "2001:db8::1"],
    system: async (host) => {
      asked.push(host);
      return [];
    },
  });
  expect(await resolve("a.test")).toEqual(["192.0.2.1", "2001:db8::1"]);
  expect(asked).toEqual([]);
});

it("the resolver asks the system for a name that no server knows, one name at a time", async () => {
  const open: { host: string; answer: (addresses: string[]) => void }[] = [];
  const resolve = createResolver({
    dns: unknown,
    system: (host) => new Promise((answer) => open.push({ host, answer })),
  });
  const answers = [resolve("a.test"), resolve("b.test")];
  await expect.poll(() => open.map(({ host }) => host)).toEqual(["a.test"]);
  open[0]?.answer(["192.0.2.1"]);
  await expect.poll(() => open.map(({ host }) => host)).toEqual(["a.test", "b.test"]);
  open[1]?.answer(["192.0.2.2"]);
  expect(await Promise.all(answers)).toEqual([["192.0.2.1"], ["192.0.2.2"]]);
});

it("the resolver asks once for a name that is being resolved, and again afterwards", async () => {
  let queries = 0;
  const resolve = createResolver({
    dns: async () => {
      queries += 1;
      return ["192.0.2.1"];
    },
    system: unknown,
  });
  await Promise.all([resolve("a.test"), resolve("a.test")]);
  const together = queries;
  await resolve("a.test");
  expect([together, queries]).toEqual([1, 2]);
});

it("the resolver reports an unknown name as not found, and goes on with the next", async () => {
  const resolve = createResolver({
    dns: unknown,
    system: async (host) => (host === "b.test" ? ["192.0.2.2"] : unknown()),
  });
  const answers = await Promise.allSettled([resolve("a.test"), resolve("b.test")]);
  expect(answers).toEqual([
    { status: "rejected", reason: expect.objectContaining({ failure: "host not found" }) },
    { status: "fulfilled", value: ["192.0.2.2"] },
  ]);
});
