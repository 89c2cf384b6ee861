import { text } from "node:stream/consumers";
import type { FastifyReply } from "fastify";
import { printReport } from "../../processing/engine/products/print-report.ts";
import type { OpenedFile } from "../../storage/ports/files.ts";
import { Refusal } from "../plugins/refusal.ts";

/** Prints the quality reports of surveys as PDF; one at a time, each at most a minute (`printReport`). */
export interface ReportPrinter {
  /**
   * Answers with the page as PDF. A client that goes away ends the printing.
   * @throws Refusal 429 with Retry-After when {@link MOST_WAITING} wait, 501 without a Chromium; DomainError
   * `TASK_FAILED` when Chromium does not print it
   */
  send(reply: FastifyReply, page: Pick<OpenedFile, "body">): Promise<FastifyReply>;
}

/** Reports that wait for the one that is printed: a page takes seconds, and a browser waits for half a minute. */
const MOST_WAITING = 4;
const RETRY_S = 30;

/** @param chromium file of the browser; `undefined`: the first one on the PATH */
export function createReportPrinter(chromium: string | undefined): ReportPrinter {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function print(html: string, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    const pdf = await printReport(html, chromium, signal);
    if (pdf !== undefined) return pdf;
    throw new Refusal(
      501,
      "unavailable",
      "This server has no Chromium to print with (CHROMIUM_FILE, or the PATH). Open survey-report.html and print it in a browser",
    );
  }

  return {
    async send(reply, page) {
      if (waiting > MOST_WAITING) {
        page.body.destroy();
        reply.header("retry-after", RETRY_S);
        throw new Refusal(429, "rate_limit_exceeded", "Other reports are being printed");
      }
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      waiting += 1;
      try {
        const html = await text(page.body);
        const printed = last.then(() => print(html, gone.signal));
        last = printed.catch(() => undefined);
        const pdf = await printed;
        return reply
          .header("cache-control", "private, no-cache")
          .type("application/pdf")
          .send(Buffer.from(pdf));
      } finally {
        waiting -= 1;
      }
    },
  };
}
