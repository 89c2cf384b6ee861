import type { Command } from "../../../domain/equipment/command.ts";

/**
 * A command on our own topic. `attempt` above 1 says that the device may have had it before: `id` is the same
 * then.
 */
export function commandPayload(command: Command): string {
  const { id, name, parameters, attempt, createdAtMs, expiresAtMs } = command;
  return JSON.stringify({
    id,
    name,
    ...(parameters === undefined ? {} : { parameters }),
    attempt,
    created_at: new Date(createdAtMs).toISOString(),
    expires_at: new Date(expiresAtMs).toISOString(),
  });
}

/**
 * A command as ThingsBoard's server-side RPC (thingsboard.io/docs/reference/mqtt-api, "Server-side RPC"):
 * `method` and `params`. Clients ignore what else is there, so that is where id and attempt are.
 */
export function rpcPayload({ id, name, parameters, attempt }: Command): string {
  return JSON.stringify({ method: name, params: parameters ?? {}, id, attempt });
}

/**
 * Why a device says that it did not do what the command asked; `undefined`: it does not say so. Only a JSON
 * object with `"status": "failed"` does, on our own topic.
 */
export function refusalIn(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { status, message } = answer as { readonly status?: unknown; readonly message?: unknown };
  if (status !== "failed") return undefined;
  return typeof message === "string" && message !== ""
    ? message.slice(0, 500)
    : "the device answered with status failed";
}
