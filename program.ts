import { type Logger, pino } from "pino";
import { readSettings } from "./config/settings.ts";
import { DomainError } from "./domain/errors.ts";
import { type Service, startService } from "./service.ts";

/**
 * How long a stop may wait for one part before the process ends anyway, ms; the journal makes that safe.
 * Not for all of them: on a busy machine the parts take longer, and none of them hangs.
 */
const PART_STOP_MS = 15_000;

/** Starts the service from the environment and stops it in reverse order on SIGINT or SIGTERM. */
async function main(): Promise<void> {
  // Nothing that the service writes is for other users of the machine.
  process.umask(0o077);
  const settings = readSettings();
  const log: Logger = pino({ level: settings.logLevel, base: null });
  const service = await startService(settings, log);
  if (service.firstAdminKey !== undefined) {
    // The only time that this key can be read; it goes beside the log, not into its fields.
    const { secret, shown } = service.firstAdminKey;
    const text = `\nThis is the first start. The admin API key, shown only now:\n\n  ${secret}\n\n`;
    process.stdout.write(text, (error) => {
      if (error) return;
      shown().catch((err: unknown) =>
        log.warn({ err }, "the first admin key is still in DATA_DIR"),
      );
    });
  }
  // Without TLS files it ends the process, as it does every program that has nothing to read again.
  if (settings.tlsCertFile !== undefined) process.on("SIGHUP", () => void service.reload());
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stop(service, signal, log));
  }
  // Whoever reads this may stop it at once.
  log.info({ ...service.urls }, "plumbline is ready");
}

function stop(service: Service, signal: string, log: Logger): void {
  log.info({ signal }, "stopping");
  const impatience = setTimeout(() => {
    log.error("stop took too long");
    process.exit(1);
  }, PART_STOP_MS);
  impatience.unref();
  service
    .close(() => impatience.refresh())
    .then(
      () => {
        log.info("stopped");
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, "stop failed");
        process.exit(1);
      },
    );
}

main().catch((error: unknown) => {
  // What a person can mend is reported in one line; anything else is a bug and shows its stack.
  const text = error instanceof DomainError ? `plumbline: ${error.message}` : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  process.stderr.write(`${text}${cause === "" ? "" : ` (${cause})`}\n`);
  if (!(error instanceof DomainError) && error instanceof Error) {
    process.stderr.write(`${error.stack}\n`);
  }
  process.exit(1);
});
