import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { whileOpen } from "../../../api/long-requests/while-open.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

describe("the signal of a request whose client may leave", () => {
  it.each([
    "before anybody listened",
    "while it is worked on",
  ])("fires where the client left %s", async (when) => {
    await using app = Fastify({ forceCloseConnections: true });
    let hasBegun = false;
    let signal: AbortSignal | undefined;
    app.post("/", async (request, reply) => {
      if (when !== "before anybody listened") signal = whileOpen(reply);
      hasBegun = true;
      await until("the client is gone", () => request.raw.socket.destroyed, PATIENT_MS);
      signal ??= whileOpen(reply);
      return {};
    });
    const origin = await app.listen({ host: "127.0.0.1", port: 0 });
    const leaving = new AbortController();
    const asked = fetch(origin, { method: "POST", signal: leaving.signal }).catch(() => undefined);
    await until("the request has begun", () => hasBegun, PATIENT_MS);
    leaving.abort();
    await asked;
    const fired = until("the signal fires", () => signal?.aborted === true, PATIENT_MS);
    await expect(fired).resolves.toBe(true);
  });
});
