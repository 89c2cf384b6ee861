import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../support/answer-client.ts";
import { createApiClient } from "../../support/api-client.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";
import type { PageSetUp } from "./pages.ts";

export const ADMIN_KEY = "docs-admin-key-0123456789-0123456789";
/** Projects that pages name. */
const PROJECTS = ["north-yard", "there"];
/** What pages make in them. */
const EMPTIED = ["/equipment/assets", "/equipment/geofences"];

/** The service of a page: with the projects that it names, unless it makes them itself, and nothing in them. */
export interface LentService {
  readonly service: ServiceProcess;
  /** The machine that the page calls `digger-1`: ids of deleted assets stay taken. */
  readonly machine: string;
  /** To be called when the page has ended. */
  giveBack(): Promise<void>;
}

/**
 * Services for pages. A start takes 3 to 5 s of CPU and most pages 1 s, so that they share services, one page at a time:
 * each is emptied between two of them. A page with settings of its own, one that makes the projects itself, and one that
 * leaves messages in quarantine has a service of its own.
 */
export class PageServices {
  readonly #idle: Running[] = [];

  async lend(setUp: PageSetUp): Promise<LentService> {
    const { settings, makesProject, quarantined } = setUp;
    const isShared = (settings ?? makesProject ?? quarantined) === undefined;
    const running = (isShared ? this.#idle.pop() : undefined) ?? (await start(setUp));
    running.pages += 1;
    return {
      service: running.service,
      machine: `digger-${running.pages}`,
      giveBack: async () => {
        if (isShared && (await isEmptied(running.service))) this.#idle.push(running);
        else await end(running);
      },
    };
  }

  /** Ends those that no page has. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(end));
  }
}

interface Running {
  readonly service: ServiceProcess;
  readonly dataDir: string;
  /** Pages that had it. */
  pages: number;
}

async function start({ settings, makesProject }: PageSetUp): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), "plumbline-docs-data-"));
  const service = await startServiceProcess({
    dataDir,
    adminKey: ADMIN_KEY,
    environment: {
      OUTBOUND_ALLOW_CIDRS: "127.0.0.0/8",
      IMAGE_FETCH_ALLOW_CIDRS: "127.0.0.0/8",
      ...settings,
    },
  });
  const client = createApiClient(service.http, ADMIN_KEY);
  for (const id of makesProject === true ? [] : PROJECTS) {
    await client.post("/projects", { id, name: id, location: { latitude: 52.5, longitude: 13.4 } });
  }
  return { service, dataDir, pages: 0 };
}

async function end({ service, dataDir }: Running): Promise<void> {
  await service.end("SIGTERM");
  await rm(dataDir, { recursive: true, force: true });
}

/** Deletes what a page made. A service that keeps something, or is gone, is not lent again. */
async function isEmptied({ http, isGone }: ServiceProcess): Promise<boolean> {
  if (isGone) return false;
  const client = createClient(http, ADMIN_KEY);
  for (const path of EMPTIED) {
    const { body } = await client.get(`${path}?limit=100`);
    const rows = body["data"] as readonly { readonly id: string }[];
    for (const { id } of rows) {
      const { status, body: answer } = await client.send("DELETE", `${path}/${id}`);
      if (status === 204) continue;
      console.log(`a service is not lent again: ${path}/${id}: ${status} ${answer.error?.message}`);
      return false;
    }
  }
  return true;
}
