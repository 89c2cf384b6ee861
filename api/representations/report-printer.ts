import { text } from "node:stream/consumers";
import type { FastifyReply } from "fastify";
import type { ProjectId } from "../../domain/ids.ts";
import { printReport } from "../../processing/engine/products/print-report.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { OpenedFile } from "../../storage/ports/files.ts";
import { Refusal } from "../errors/refusal.ts";
import { createWorkSlots } from "../long-requests/work-slots.ts";

/** Prints the quality reports of surveys as PDF; one at a time, each at most a minute (`printReport`). */
export interface ReportPrinter {
  /**
   * Answers with the page of a project as PDF. A client that goes away ends the printing.
   * @throws Refusal 429 with Retry-After beyond {@link PRINTS}, 501 without a Chromium; StorageShortage without
   * room for its files; DomainError `TASK_FAILED` when Chromium does not print it
   */
  send(
    reply: FastifyReply,
    page: Pick<OpenedFile, "body">,
    projectId: ProjectId,
  ): Promise<FastifyReply>;
}

/**
 * Reports under way, one of them being printed: a page takes seconds, and a browser waits for half a minute.
 * One project leaves places to the others.
 */
const PRINTS = {
  what: "reports to print",
  owner: "project",
  perOwner: 2,
  inAll: 5,
  retryAfterS: 30,
} as const;
/** What Chromium writes beside the page, its profile and the PDF, bytes: far above what is seen. */
const PRINT_BYTES = 64 * 1024 ** 2;

/**
 * @param chromium file of the browser; `undefined`: the first one on the PATH
 * @param disk admits what Chromium writes: the temporary folder is most often on the disk of the data folder
 */
export function createReportPrinter(chromium: string | undefined, disk: DiskSpace): ReportPrinter {
  const slots = createWorkSlots(PRINTS);
  let last: Promise<unknown> = Promise.resolve();

  async function print(html: string, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    const grant = await disk.reserve("job", PRINT_BYTES + Buffer.byteLength(html));
    const pdf = await printReport(html, chromium, signal).finally(() => grant.release());
    if (pdf !== undefined) return pdf;
    throw new Refusal(
      501,
      "unavailable",
      "This server has no Chromium to print with (CHROMIUM_FILE, or the PATH). Open survey-report.html and print it in a browser",
    );
  }

  return {
    async send(reply, { body }, projectId) {
      let leave = () => {};
      try {
        leave = slots.enterFor(projectId, reply);
        const gone = new AbortController();
        reply.raw.once("close", () => gone.abort());
        const html = await text(body);
        const printed = last.then(() => print(html, gone.signal));
        last = printed.catch(() => undefined);
        const pdf = await printed;
        return reply
          .header("cache-control", "private, no-cache")
          .type("application/pdf")
          .send(Buffer.from(pdf));
      } finally {
        leave();
        body.destroy();
      }
    },
  };
}
