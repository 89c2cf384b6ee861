import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DomainError } from "../../../domain/errors.ts";

/** Names of Chromium's executable, searched for on the PATH. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
/** Longest that a page takes, ms: one of 600 images takes seconds. */
const PRINT_MS = 60_000;

/**
 * The page of a report as PDF, by the Chromium that was named, else by the first one on the PATH. The page may
 * neither fetch nor run anything (its own policy), and no name is resolved for it.
 * @returns `undefined`: there is no Chromium
 * @throws DomainError `TASK_FAILED` when Chromium does not print it; what `signal` fires with.
 */
export async function printReport(
  html: string,
  named: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const dir = await mkdtemp(join(tmpdir(), "plumbline-print-"));
  try {
    const [page, pdf] = [join(dir, "report.html"), join(dir, "report.pdf")];
    await writeFile(page, html);
    const options = [
      "--headless",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--no-pdf-header-footer",
      "--host-resolver-rules=MAP * ~NOTFOUND",
      `--user-data-dir=${join(dir, "profile")}`,
      // Its sandbox refuses to start for root, as in a container.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      `--print-to-pdf=${pdf}`,
      page,
    ];
    for (const name of named === undefined ? NAMES : [named]) {
      if (await ran(name, options, signal)) return await readFile(pdf);
    }
    return undefined;
  } finally {
    await rm(dir, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Runs a program; `false`: there is none of that name. */
async function ran(
  name: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await promisify(execFile)(name, options, { signal, timeout: PRINT_MS });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw new DomainError("TASK_FAILED", `${name} did not print the report`, { cause: error });
  }
}
