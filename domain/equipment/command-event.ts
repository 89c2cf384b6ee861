import type { NewEvent } from "../events/events.ts";
import type { Command } from "./command.ts";

/**
 * The event of the state that a command has come to. Each state and each attempt has one id; `failed` has two,
 * because a device may refuse a command that has failed for want of confirmation.
 */
export function commandEvent(command: Command): NewEvent {
  const { id, state, attempt, projectId, assetId, changedAtMs } = command;
  const { name, maxAttempts, carrier, failure, detail, answer } = command;
  const step = failure === "refused" ? failure : state;
  return {
    id: `evt_${id}_${step}_${attempt}`,
    revision: 1,
    type: `equipment.command.${state}`,
    projectId,
    assetId,
    occurredAtMs: changedAtMs,
    data: {
      command_id: id,
      name,
      status: state,
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
