import type { Command } from "./command.ts";
import type { NewEvent } from "./events.ts";

/** The event of the state that a command has come to. Each state and each attempt has one id. */
export function commandEvent(command: Command): NewEvent {
  const { id, state, attempt, projectId, assetId, changedAtMs } = command;
  const { name, maxAttempts, carrier, failure, detail, answer } = command;
  return {
    id: `evt_${id}_${state}_${attempt}`,
    revision: 1,
    type: `equipment.command.${state}`,
    projectId,
    assetId,
    occurredAtMs: changedAtMs,
    data: {
      command_id: id,
      name,
      state,
      attempt,
      max_attempts: maxAttempts,
      expires_at: new Date(command.expiresAtMs).toISOString(),
      ...(carrier === undefined ? {} : { carrier }),
      ...(failure === undefined ? {} : { failure }),
      ...(detail === undefined ? {} : { detail }),
      ...(answer === undefined ? {} : { answer }),
    },
  };
}
