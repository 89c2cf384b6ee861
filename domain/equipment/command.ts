import { type Static, Type } from "typebox";
import type { AssetId, CommandId, ProjectId } from "../ids.ts";
import { DAY_MS } from "../time.ts";

/**
 * Where a command is. `queued` -> `sent` -> (`delivered`) -> `answered`; every other state is an end, and
 * so is `delivered` where the device never answers.
 *
 * - `queued`: stored; not sent yet. The only state that can be cancelled.
 * - `sent`: written to the device's connection, or about to be: the state is stored before the first byte
 *   leaves, so that a crash in between shows as an attempt.
 * - `delivered`: the device acknowledged receipt (PUBACK). Codec 12 and Sparkplug know only answers.
 * - `answered`: the device's answer is stored.
 * - `failed`: `failure` says why.
 * - `expired`: `expires_at` passed before it was sent; the device never saw it.
 * - `cancelled`: withdrawn before it was sent; the device never saw it.
 */
export const COMMAND_STATES = [
  "queued",
  "sent",
  "delivered",
  "answered",
  "failed",
  "expired",
  "cancelled",
] as const;
export type CommandState = (typeof COMMAND_STATES)[number];

/**
 * Why a command failed.
 *
 * - `unconfirmed`: it was sent, no receipt and no answer came, and it may not be sent again. The device
 *   may have run it; an answer that comes later still makes it `answered`, a receipt `delivered`.
 * - `refused`: the device answered that it failed or does not know it.
 * - `not_encodable`: the device's protocol cannot carry it.
 * - `asset_moved`: the asset is another project's by now.
 */
export const COMMAND_FAILURES = ["unconfirmed", "refused", "not_encodable", "asset_moved"] as const;
export type CommandFailure = (typeof COMMAND_FAILURES)[number];

/** Which protocol took a command to its device. */
export const COMMAND_CARRIERS = ["mqtt", "thingsboard", "codec12", "sparkplug"] as const;
export type CommandCarrier = (typeof COMMAND_CARRIERS)[number];

/** Longest name, characters: names of Sparkplug's metrics are paths. */
export const MAX_COMMAND_NAME = 200;
/** Longest parameters as JSON, bytes. Trackers take some 1,000; more would fill a row and each event of it. */
export const MAX_PARAMETERS_BYTES = 8 * 1024;
/** Bytes of an answer that are kept; the rest is cut off and `truncated` says so. */
const MAX_ANSWER_BYTES = 8 * 1024;
/** Most attempts a client may ask for. */
export const MAX_COMMAND_ATTEMPTS = 10;
/** Open commands (`queued` or `sent`) of one asset and of one project at most. */
export const OPEN_COMMANDS_PER_ASSET = 100;
export const OPEN_COMMANDS_PER_PROJECT = 5_000;
/** Newest commands of one asset that are kept at most; older ones that have ended go first. */
export const KEPT_COMMANDS_PER_ASSET = 1_000;
/** How long a command waits for its device unless the client says otherwise, and at most, ms. */
export const COMMAND_LIFE_MS = DAY_MS;
export const MAX_COMMAND_LIFE_MS = 30 * DAY_MS;

/** What a device answered. */
export const CommandAnswer = Type.Object(
  {
    encoding: Type.Enum(["json", "text", "base64"], {
      description: "How `value` holds the device's bytes: parsed, as text, or in base64",
    }),
    value: Type.Unknown({ description: "The answer" }),
    truncated: Type.Boolean({ description: `It was longer than ${MAX_ANSWER_BYTES} bytes` }),
  },
  { title: "CommandAnswer" },
);
export type CommandAnswer = Static<typeof CommandAnswer>;

/** A command to one asset's device as it is stored. Times are ms since the Unix epoch. */
export interface Command {
  readonly id: CommandId;
  readonly assetId: AssetId;
  /** The asset's project when the command was made; it is sent to no device of another one. */
  readonly projectId: ProjectId;
  /** Rises with every command of the installation: the order in which an asset's are sent. */
  readonly sequence: number;
  readonly name: string;
  /** Any JSON value; `undefined`: none. */
  readonly parameters: unknown;
  readonly state: CommandState;
  /** Attempts to send it so far. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** The protocol of the last attempt; `undefined` before the first. */
  readonly carrier: CommandCarrier | undefined;
  readonly failure: CommandFailure | undefined;
  /** What went wrong, for people. */
  readonly detail: string | undefined;
  readonly answer: CommandAnswer | undefined;
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** When the state became what it is. */
  readonly changedAtMs: number;
  readonly sentAtMs: number | undefined;
  readonly deliveredAtMs: number | undefined;
  readonly answeredAtMs: number | undefined;
}

/** A command before the store gives it its sequence. */
export type NewCommand = Pick<
  Command,
  | "id"
  | "assetId"
  | "projectId"
  | "name"
  | "parameters"
  | "maxAttempts"
  | "createdBy"
  | "createdAtMs"
  | "expiresAtMs"
>;

/** Whether the command may still be sent. */
export const isOpen = ({ state }: Pick<Command, "state">): boolean =>
  state === "queued" || state === "sent";

/** Bytes of the parameters as JSON; 0: none. */
export const parametersBytes = (parameters: unknown): number =>
  parameters === undefined ? 0 : Buffer.byteLength(JSON.stringify(parameters));

/** A device's bytes as an answer: JSON where they are JSON, else text, else base64. */
export function toAnswer(payload: Uint8Array): CommandAnswer {
  const truncated = payload.byteLength > MAX_ANSWER_BYTES;
  const bytes = Buffer.from(payload.subarray(0, MAX_ANSWER_BYTES));
  // A character cut in the middle leaves up to three bytes that are not a character.
  const text = bytes.toString("utf8");
  const isText =
    !text.includes("\ufffd") || (truncated && text.indexOf("\ufffd") >= text.length - 3);
  if (!isText) return { encoding: "base64", value: bytes.toString("base64"), truncated };
  const json = truncated ? undefined : parseJson(text);
  if (json !== undefined) return { encoding: "json", value: json, truncated };
  return { encoding: "text", value: text, truncated };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
