import type { Static, TObject } from "typebox";
import type { Scope } from "../../domain/platform/api-key.ts";
import type { ApiReader } from "./api-reader.ts";

/** What a tool found. */
export interface ToolAnswer {
  /** Sentences for a person, each with its figures, their intervals and their times. */
  readonly lines: readonly string[];
  /** The same as the API reports it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Pages of the console, as paths. */
  readonly pages: readonly string[];
}

/** A question that an assistant may ask. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the assistant: when to use it, and what its figures mean. */
  readonly description: string;
  /** Keys without it are not offered the tool; `any key`: all are. */
  readonly scope: Scope | "any key";
  /** It changes something: offered with `ASSISTANTS=write` alone. */
  readonly writes: boolean;
  readonly input: TObject;
  /** `args` has passed `input`. `nowMs`: the service's clock, ms since the Unix epoch. */
  run(args: unknown, api: ApiReader, nowMs: number): Promise<ToolAnswer>;
}

export interface ToolDefinition<Input extends TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope | "any key";
  readonly writes?: true;
  readonly input: Input;
  run(args: Static<Input>, api: ApiReader, nowMs: number): Promise<ToolAnswer>;
}

/** A tool whose arguments have the type of its schema. */
export function defineTool<Input extends TObject>(tool: ToolDefinition<Input>): Tool {
  return {
    ...tool,
    writes: tool.writes === true,
    // What calls it has checked the arguments against `input`.
    run: (args, api, nowMs) => tool.run(args as Static<Input>, api, nowMs),
  };
}
