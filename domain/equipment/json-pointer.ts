/**
 * Longest pointer, characters, and its most tokens; payloads of more than 4 KB nest no deeper. Each is
 * resolved for every message.
 */
export const MAX_POINTER_LENGTH = 256;
const MAX_TOKENS = 8;
/** RFC 6901 section 4: an index is digits without a leading zero. Six of them are more than a payload holds. */
const INDEX = /^(?:0|[1-9]\d{0,5})$/;

/** One step of a pointer: the name of a member, or the place in an array. */
interface Step {
  readonly name: string;
  /** -1: no index. */
  readonly index: number;
}

/** A JSON Pointer (RFC 6901) that is well-formed. */
export interface JsonPointer {
  /** Written with a `#` before it (section 6): it begins at the message, wherever it is used. */
  readonly isOfMessage: boolean;
  readonly steps: readonly Step[];
}

/** What keeps a text from being a pointer, in the words of a sentence that begins with its name. */
interface PointerProblem {
  readonly problem: string;
}

/**
 * Reads `/a/0/b`, "" for the whole, or the form for URIs `#/a/0/b`, in which `%25` is `%` and `%20` a blank.
 * `~1` is `/` and `~0` is `~` in both.
 */
export function parsePointer(text: string): JsonPointer | PointerProblem {
  if (text.length > MAX_POINTER_LENGTH) {
    return { problem: `must have at most ${MAX_POINTER_LENGTH} characters` };
  }
  const isOfMessage = text.startsWith("#");
  const path = isOfMessage ? decodePercent(text.slice(1)) : text;
  if (path === undefined) return { problem: "has a % that is not a percent-encoding; write %25" };
  if (path === "") return { isOfMessage, steps: [] };
  if (!path.startsWith("/")) {
    return { problem: 'must be "" or begin with "/", or with "#/" for the whole message' };
  }
  if (/~(?![01])/.test(path)) return { problem: 'has a "~" that is not "~0" or "~1"' };
  const tokens = path.slice(1).split("/");
  if (tokens.length > MAX_TOKENS) {
    return { problem: `must have at most ${MAX_TOKENS} parts between slashes` };
  }
  const steps = tokens.map((token) => ({
    // In this order, or "~01" would become "/" (section 4).
    name: token.replaceAll("~1", "/").replaceAll("~0", "~"),
    index: INDEX.test(token) ? Number(token) : -1,
  }));
  return { isOfMessage, steps };
}

function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * What a pointer finds in a value that came from JSON; `undefined`: nothing. Only what the value itself
 * holds: `/constructor` and `/__proto__` find a member of that name or nothing.
 */
export function valueAt({ steps }: JsonPointer, value: unknown): unknown {
  let at = value;
  for (const { name, index } of steps) {
    if (typeof at !== "object" || at === null) return undefined;
    if (Array.isArray(at)) at = index < 0 ? undefined : at[index];
    else if (Object.hasOwn(at, name)) at = (at as Readonly<Record<string, unknown>>)[name];
    else return undefined;
  }
  return at;
}

/** The value with `replacement` where the pointer finds something; the same value where it finds nothing. */
export function replacedAt({ steps }: JsonPointer, value: unknown, replacement: unknown): unknown {
  const [step, ...further] = steps;
  if (step === undefined) return replacement;
  if (typeof value !== "object" || value === null) return value;
  const rest = { isOfMessage: false, steps: further };
  if (Array.isArray(value)) {
    return value.map((one, i) => (i === step.index ? replacedAt(rest, one, replacement) : one));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === step.name ? replacedAt(rest, one, replacement) : one,
    ]),
  );
}
