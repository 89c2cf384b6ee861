import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Compile } from "typebox/compile";
import { Capture } from "../../../api/progress/captures/capture-schemas.ts";
import { Report } from "../../../api/progress/reports/report-schemas.ts";
import { type AnswerBody, type Client, createClient } from "../../support/answer-client.ts";
import { freshDataDir } from "../../support/databases.ts";
import { type ImageServer, openImageServer } from "../../support/image-server.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";

export const ADMIN_KEY = "progress-e2e-admin-key-0123456789abcdef";
/** Longest that a capture may take before a check gives up, ms. */
const PATIENCE_MS = 600_000;
const LOOK_MS = 100;

/** The real service as a process of its own, a client of it, and a web server with images beside it. */
export interface SiteService extends AsyncDisposable {
  readonly images: ImageServer;
  service: ServiceProcess;
  client: Client;
  /** Ends the process by that signal and starts it again on the same data. */
  restart(signal: NodeJS.Signals): Promise<void>;
}

/** Starts it on fresh data; `environment` beside the usual one. */
export async function openSiteService(
  environment: Readonly<Record<string, string>> = {},
): Promise<SiteService> {
  const dataDir = await freshDataDir();
  const images = await openImageServer();
  const start = () =>
    startServiceProcess({
      dataDir,
      adminKey: ADMIN_KEY,
      // One address of this machine, and no other: the rest of it stays private.
      environment: { IMAGE_FETCH_ALLOW_CIDRS: "127.0.0.1/32", WORKERS: "2", ...environment },
    });
  const service = await start();
  const site: SiteService = {
    images,
    service,
    client: createClient(service.http, ADMIN_KEY),
    async restart(signal) {
      await site.service.end(signal);
      site.service = await start();
      site.client = createClient(site.service.http, ADMIN_KEY);
    },
    async [Symbol.asyncDispose]() {
      await site.service.end("SIGTERM");
      await images[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return site;
}

/** The body of an answer that has to be a success. @throws Error with the answer otherwise. */
export async function made(
  answer: Promise<{ readonly status: number; readonly body: AnswerBody }>,
): Promise<AnswerBody> {
  const { status, body } = await answer;
  if (status >= 200 && status < 300) return body;
  throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
}

/** Sends a capture and yields its id. */
export async function sendCapture(client: Client, body: unknown): Promise<string> {
  return String((await made(client.post("/progress/captures", body)))["id"]);
}

const captures = Compile(Capture);
const reports = Compile(Report);

/** A capture as it is described. */
export async function captureOf(client: Client, id: string): Promise<Capture> {
  const body: unknown = await made(client.get(`/progress/captures/${id}`));
  if (captures.Check(body)) return body;
  throw new Error(`capture ${id} is not as it is described: ${JSON.stringify(body)}`);
}

/** Asks for a capture until it is as wanted; by default until it is over. */
export async function captureUntil(
  client: Client,
  id: string,
  isSo: (capture: Capture) => boolean = ({ status }) => status !== "processing",
): Promise<Capture> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const capture = await captureOf(client, id);
    if (isSo(capture)) return capture;
    if (performance.now() > deadlineMs) {
      throw new Error(`${id} is still at ${capture.stage}, ${capture.progress} %`);
    }
    await sleep(LOOK_MS);
  }
}

/** A report as it is described. */
export async function reportOf(client: Client, id: unknown): Promise<Report> {
  const body: unknown = await made(client.get(`/progress/reports/${String(id)}`));
  if (reports.Check(body)) return body;
  throw new Error(`report ${String(id)} is not as it is described: ${JSON.stringify(body)}`);
}

/** Events of some types since the beginning. */
export async function eventsOf(
  client: Client,
  type: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const body = await made(client.get(`/events?cursor=0&type=${type}`));
  return body["data"] as readonly Readonly<Record<string, unknown>>[];
}
