import fastify from "fastify";
import { expect, it } from "vitest";
import { handleErrors } from "../../../api/errors/error-handler.ts";
import { createJobWaits } from "../../../api/long-requests/job-waits.ts";
import type { JobId } from "../../../domain/ids.ts";
import { createJobWatch } from "../../../processing/queue/job-watch.ts";
import type { Job } from "../../../storage/ports/platform/jobs.ts";

it("a request that waits for a job ends after the longest wait with a 500 that says that the measurement goes on", async () => {
  const app = fastify();
  const running = { state: "running" } as Job;
  const watch = createJobWatch({ find: async () => running }, 1);
  const waits = createJobWaits(app, watch, "measurement", 20);
  handleErrors(app);
  app.post("/", (request, reply) => waits.untilOver("j1" as JobId, request, reply));
  const { statusCode, headers, body } = await app.inject({ method: "POST", url: "/" });
  await app.close();
  expect([statusCode, headers["retry-after"], JSON.parse(body).error]).toMatchObject([
    500,
    "10",
    { code: "internal_error", message: expect.stringMatching(/goes on: send the same request/) },
  ]);
});
