import type { CaptureId, JobId, ProjectId } from "../../domain/ids.ts";
import { CAPTURE_JOB } from "../../processing/progress/capture/capture-request.ts";
import type { Attempt, Job } from "../../storage/ports/platform/jobs.ts";
import { ADMIN_KEY, NOON_MS, type TestApp } from "./api-app.ts";

export const CAPTURES = "/api/v1/progress/captures";

/** So many addresses of photographs. */
export const photographs = (count: number, name = "flight") =>
  Array.from({ length: count }, (_, i) => `https://site.example/${name}/${i}.jpg`);

/** Sends a capture, by default six photographs of a flight. */
export const sendCapture = (
  t: TestApp,
  body: object,
  headers: Record<string, string> = {},
  key = ADMIN_KEY,
) =>
  t.send(
    "POST",
    CAPTURES,
    key,
    { capture_type: "drone", images: photographs(6), ...body },
    headers,
  );

/** Sends a capture that is taken, and yields its ids. */
export async function storeCapture(
  t: TestApp,
  project_id: ProjectId,
  change: object = {},
): Promise<{ readonly id: CaptureId; readonly jobId: JobId }> {
  const { id } = (await sendCapture(t, { project_id, ...change })).json();
  const jobId = t.records.rows.captures.get(id)?.job_id;
  if (jobId === undefined) throw new Error("the capture was not taken");
  return { id, jobId };
}

/** Takes the next capture's job, as a runner does. */
export async function claimCapture(t: TestApp): Promise<Job & Attempt> {
  const job = await t.records.jobs.claim("test", [CAPTURE_JOB]);
  if (job?.runner === undefined) throw new Error("no capture waits");
  return { ...job, runner: job.runner };
}

/** Takes all captures and their jobs away, so that the next test finds nothing waiting, nor a speed. */
export async function clearCaptures(t: TestApp): Promise<void> {
  const states = ["queued", "running"] as const;
  const { jobs } = await t.records.jobs.list({ states, limit: 10_000, offset: 0 });
  for (const { id, runner, attempts } of jobs) {
    await t.records.jobs.requestCancel(id);
    if (runner !== undefined) await t.records.jobs.cancel({ id, runner, attempts });
  }
  await t.records.jobs.expire(Number.POSITIVE_INFINITY);
  t.records.rows.captures.clear();
  t.clock.ms = NOON_MS;
}
