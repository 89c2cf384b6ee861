/** What a command is given beside its arguments. */
export interface CommandContext {
  /** Fires at the first Ctrl-C or SIGTERM; the command then ends as soon as it can. */
  readonly signal: AbortSignal;
  /** One line for the person who waits. */
  say(line: string): void;
}

/** One command of `plumbline`. */
export interface Command {
  /** What follows `plumbline`, as the help shows it. */
  readonly usage: string;
  /** One sentence, then details, for the help. */
  readonly about: string;
  /** @throws UsageError, or DomainError with what a person can mend. */
  run(args: readonly string[], context: CommandContext): Promise<void>;
}
