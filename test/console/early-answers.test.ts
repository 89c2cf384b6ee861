import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askEarly, forgetEarly, takeEarly } from "../../console/api/early-answers.ts";
import { signedOut } from "../../console/api/session-state.ts";

const ORIGIN = "http://site";
const SESSION = "/api/v1/session";
const MACHINES = "/api/v1/equipment/assets";

const requestOf = (path: string, method = "GET") => new Request(`${ORIGIN}${path}`, { method });

describe("what is asked for before the code of a page has come", () => {
  /** Asked of the service, by path. */
  let asked: Map<string, { answer: (response: Response) => void; signal: AbortSignal }>;

  beforeEach(() => {
    asked = new Map();
    vi.stubGlobal("location", { origin: ORIGIN });
    vi.stubGlobal("fetch", (path: string, { signal }: { signal: AbortSignal }) => {
      return new Promise<Response>((resolve, reject) => {
        asked.set(path, { answer: resolve, signal });
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    });
    askEarly(SESSION, [MACHINES]);
  });
  afterEach(() => {
    forgetEarly();
    vi.unstubAllGlobals();
  });

  it("is all asked at once, and each answer is for the first request of its address", async () => {
    expect([...asked.keys()]).toEqual([SESSION, MACHINES]);
    asked.get(MACHINES)?.answer(new Response("machines"));
    expect(takeEarly(requestOf(MACHINES, "POST"))).toBeUndefined();
    expect(takeEarly(requestOf(`${MACHINES}?project_id=yard`))).toBeUndefined();
    expect(await (await takeEarly(requestOf(MACHINES)))?.text()).toBe("machines");
    expect(takeEarly(requestOf(MACHINES))).toBeUndefined();
  });

  it.each([
    401, 404, 429, 500,
  ])("is forgotten when the answer about the session is %i", async (status) => {
    asked.get(MACHINES)?.answer(new Response("of another key"));
    asked.get(SESSION)?.answer(new Response(null, { status }));
    expect((await takeEarly(requestOf(SESSION)))?.status).toBe(status);
    expect(takeEarly(requestOf(MACHINES))).toBeUndefined();
  });

  it("is forgotten, and no more waited for, when no answer about the session comes", async () => {
    asked.get(SESSION)?.answer(Promise.reject(new Error("cut")) as unknown as Response);
    await expect(takeEarly(requestOf(SESSION))).rejects.toThrow("cut");
    expect(takeEarly(requestOf(MACHINES))).toBeUndefined();
    expect(asked.get(MACHINES)?.signal.aborted).toBe(true);
  });

  it("is forgotten when the session ends, but for what somebody has taken", async () => {
    const session = takeEarly(requestOf(SESSION));
    signedOut();
    expect(takeEarly(requestOf(MACHINES))).toBeUndefined();
    expect(asked.get(MACHINES)?.signal.aborted).toBe(true);
    asked.get(SESSION)?.answer(new Response("session"));
    expect(await (await session)?.text()).toBe("session");
  });
});
