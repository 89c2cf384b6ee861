import { Piscina } from "piscina";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import type { ImageUse } from "../../domain/sites/image-use.ts";
import { type GateFinding, GateRefusal } from "../gates/gates.ts";
import { withNiceLibraries } from "./nice-libraries.ts";

/** An expected failure as a value that can be cloned, stored and sent. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  /** What a gate found, where a gate refused. */
  readonly details?: GateFinding;
  /** What other gates found beside it. */
  readonly others?: readonly GateFinding[];
  /** What became of each image, where a survey was refused. */
  readonly uses?: readonly ImageUse[];
}

/**
 * What a task posts back. An error that crosses a thread boundary is cloned as a plain `Error` and
 * loses `name` and `code`, so expected failures travel as values; only bugs are thrown.
 */
export type TaskResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Runs the work of a task. `moved` names buffers of the value that are handed over instead of copied;
 * the thread must not use them afterwards.
 */
export async function settle<T>(
  work: () => T | Promise<T>,
  moved: (value: T) => readonly ArrayBuffer[] = () => [],
): Promise<TaskResult<T>> {
  try {
    const value = await withNiceLibraries(work);
    return handOver({ ok: true, value }, moved(value));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ok: false, failure: failureOf(error) };
  }
}

/** The value of a task. @throws DomainError (a GateRefusal where a gate refused) as the task threw it. */
export function unwrap<T>(result: TaskResult<T>): T {
  if (result.ok) return result.value;
  throw errorOf(result.failure);
}

export function failureOf(error: DomainError): Failure {
  const { code, message } = error;
  return error instanceof GateRefusal
    ? { code, message, details: error.finding, others: error.others, uses: error.uses }
    : { code, message };
}

/** The error that {@link failureOf} was given. */
export function errorOf({ code, message, details, others, uses }: Failure): DomainError {
  return details === undefined
    ? new DomainError(code, message)
    : new GateRefusal(details, others, uses);
}

/** Marks a result so that piscina posts it with those buffers in its transfer list. */
function handOver<T>(result: T, buffers: readonly ArrayBuffer[]): T {
  if (buffers.length === 0) return result;
  const marked: unknown = {
    [Piscina.transferableSymbol]: [...buffers],
    [Piscina.valueSymbol]: result,
  };
  // On the other side of the port it is what `valueSymbol` names, and nothing else.
  return Piscina.move(marked as Parameters<typeof Piscina.move>[0]) as T;
}
