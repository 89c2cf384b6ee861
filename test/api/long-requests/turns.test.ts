import { describe, expect, it } from "vitest";
import { createTurns, type Turns } from "../../../api/long-requests/turns.ts";

const OPEN = new AbortController().signal;
const LIMITS = { what: "map tiles", atOnce: 1, mostWaiting: 2_000 };
const refused = { statusCode: 503, message: expect.stringMatching(/map tiles are waiting/) };

/** Asks for pieces of work of a caller, which end one after the other, and notes their order. */
function asking(turns: Turns, order: string[]) {
  return (caller: string, name: string, signal = OPEN): Promise<void> =>
    turns.take({ caller, signal }, async () => {
      order.push(name);
      await Promise.resolve();
    });
}

describe("turns", () => {
  it("one tile of a second caller is drawn after at most one more of another's thousand", async () => {
    const order: string[] = [];
    const ask = asking(createTurns(LIMITS), order);
    const many = Array.from({ length: 1_000 }, (_, i) => ask("a", `a${i}`));
    await ask("b", "b");
    expect(order.indexOf("b")).toBeLessThanOrEqual(2);
    await Promise.all(many);
    expect(order.length).toBe(1_001);
    expect(order.filter((name) => name !== "b")).toEqual(
      Array.from({ length: 1_000 }, (_, i) => `a${i}`),
    );
  });

  it("three callers who ask for as many take turns", async () => {
    const order: string[] = [];
    const ask = asking(createTurns(LIMITS), order);
    const names = ["a", "a", "a", "b", "b", "b", "c", "c", "c"];
    await Promise.all(names.map((caller) => ask(caller, caller)));
    // The very first runs before anybody else asks.
    expect(order.join("")).toBe("aabcabcbc");
  });

  it("work whose client has gone is not done, and its turn is the next one's", async () => {
    const order: string[] = [];
    const ask = asking(createTurns(LIMITS), order);
    const gone = new AbortController();
    const first = ask("a", "first");
    const left = [1, 2, 3].map((i) => ask("a", `left ${i}`, gone.signal));
    const last = ask("a", "last");
    gone.abort(new Error("gone"));
    const outcomes = await Promise.allSettled(left);
    await Promise.all([first, last]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(order).toEqual(["first", "last"]);
    await expect(ask("a", "late", gone.signal)).rejects.toThrow("gone");
  });

  it("as many pieces of work run at once as may, and no more", async () => {
    const turns = createTurns({ ...LIMITS, atOnce: 3 });
    let [running, most] = [0, 0];
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => turns.take({ caller: `${i % 4}`, signal: OPEN }, work)),
    );
    expect([most, running]).toEqual([3, 0]);
  });

  it("while too many wait, whoever asks alone is served, and the one with most is refused its last", async () => {
    const order: string[] = [];
    const ask = asking(createTurns({ ...LIMITS, mostWaiting: 10 }), order);
    // One runs, and ten wait.
    const many = Array.from({ length: 11 }, (_, i) => ask("a", `a${i}`));
    const outcomes = Promise.allSettled(many);
    const oneMore = ask("a", "a11");
    const other = ask("b", "b");
    await expect(oneMore).rejects.toMatchObject(refused);
    await other;
    const ended = await outcomes;
    expect(ended.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 10 }, () => "fulfilled"),
      "rejected",
    ]);
    expect(ended.at(-1)).toMatchObject({ reason: refused });
    expect(order).toContain("b");
  });

  it("work that fails gives its turn to the next one", async () => {
    const turns = createTurns(LIMITS);
    const fails = turns.take({ caller: "a", signal: OPEN }, async () => {
      throw new Error("damaged");
    });
    const works = turns.take({ caller: "a", signal: OPEN }, async () => "done");
    await expect(fails).rejects.toThrow("damaged");
    expect(await works).toBe("done");
  });
});
