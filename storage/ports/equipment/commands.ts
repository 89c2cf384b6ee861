import type { Command, CommandState, NewCommand } from "../../../domain/equipment/command.ts";
import type { AssetId, CommandId, ProjectId } from "../../../domain/ids.ts";

/** Commands to devices. Every change of a state is stored together with its event. */
export interface CommandRecords {
  /**
   * Stores it as `queued` behind all others, and drops the asset's oldest commands that have ended beyond
   * `KEPT_COMMANDS_PER_ASSET`.
   * @throws DomainError `ID_CONFLICT`, or `LIMIT_REACHED` when the asset or the project has as many open
   * commands as may be.
   */
  insert(command: NewCommand): Promise<Command>;
  find(id: CommandId): Promise<Command | undefined>;
  /** Of one asset by its sequence. */
  findBySequence(assetId: AssetId, sequence: number): Promise<Command | undefined>;
  /** Newest first. `projectIds` absent: all projects. */
  list(filter: {
    readonly assetId: AssetId;
    readonly projectIds?: readonly ProjectId[];
    readonly states?: readonly CommandState[];
    /** From its other end. */
    readonly isReversed?: boolean;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly commands: readonly Command[]; readonly total: number }>;
  /**
   * Replaces a command by what `change` makes of it, with the event of that state. One change of a command
   * after the other, whichever process asks. Yields the command as it is now, and `undefined` where there is
   * none or `change` yields `undefined`: then nothing is stored.
   */
  update(
    id: CommandId,
    change: (before: Command) => Command | undefined,
  ): Promise<Command | undefined>;
  /** The open command of the asset that is to be dealt with next: the one of the lowest sequence. */
  head(assetId: AssetId): Promise<Command | undefined>;
  /** Assets with open commands. */
  openAssets(): Promise<readonly AssetId[]>;
  /** The newest sequence given out; 0 before the first. Sequences become visible in order. */
  lastSequence(): Promise<number>;
  /** Commands behind `sequence`, ascending, for processes that follow. */
  since(
    sequence: number,
    limit: number,
  ): Promise<readonly { readonly sequence: number; readonly assetId: AssetId }[]>;
  /** Open commands with `expiresAtMs <= atMs`, at most `limit`. */
  overdue(atMs: number, limit: number): Promise<readonly CommandId[]>;
  /**
   * Deletes a bounded number of commands that ended before `beforeMs`, and yields whether more are left.
   */
  expire(beforeMs: number): Promise<boolean>;
}
