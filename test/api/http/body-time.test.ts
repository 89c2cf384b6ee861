import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import fastify from "fastify";
import { expect, it } from "vitest";
import { limitBodyTime } from "../../../api/http/body-time.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { exchangeRaw } from "../../support/raw-http.ts";

it("a long answer is not broken by the time limit of a body that its route does not read", async () => {
  await using app = fastify();
  const refused: string[] = [];
  limitBodyTime(app, 1, (_error, socket) => {
    refused.push("refused");
    socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  const answer = new PassThrough();
  app.get("/", (_request, reply) => {
    answer.write("first");
    return reply.type("text/plain").send(answer);
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  app.server.once("request", (request) => {
    // The timer of 1 ms was set before this one.
    setTimeout(() => answer.end("last"), 20);
    request.on("error", () => undefined);
  });
  const sent = "GET / HTTP/1.1\r\nHost: t\r\nContent-Length: 100000\r\n\r\nx";
  const isEnough = (_: unknown, received: string) => received.includes("last");
  const { statuses, received } = await exchangeRaw(port, [sent], isEnough, PATIENT_MS);
  expect(statuses).toEqual([200]);
  expect(received).toContain("last");
  expect(refused).toEqual([]);
  app.server.closeAllConnections();
});
