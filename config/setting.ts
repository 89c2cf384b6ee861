import { isIP } from "node:net";
import { DomainError } from "../domain/errors.ts";

/** One environment variable: how it is read, what it means, what it is when absent. */
export interface Setting<T> {
  readonly env: string;
  /** Sentence for `.env.example` and the table of `docs/settings.md`. */
  readonly doc: string;
  /** The default as it would be written in the environment; `undefined`: unset. */
  readonly fallback: string | undefined;
  readonly parse: (text: string) => T;
}

function invalid(env: string, text: string, allowed: string): DomainError {
  return new DomainError("SETTINGS_INVALID", `${env}="${text}" is not ${allowed}`);
}

export function text(env: string, doc: string, fallback: string): Setting<string> {
  return { env, doc, fallback, parse: (value) => value };
}

export function optionalText(env: string, doc: string): Setting<string | undefined> {
  return { env, doc, fallback: undefined, parse: (value) => (value === "" ? undefined : value) };
}

/** A value that must never be printed; only its length is checked here. */
export function secret(env: string, doc: string, minLength: number): Setting<string | undefined> {
  return {
    env,
    doc,
    fallback: undefined,
    parse(value) {
      if (value === "") return undefined;
      if (value.length < minLength) {
        throw new DomainError("SETTINGS_INVALID", `${env} needs ${minLength} characters or more`);
      }
      return value;
    },
  };
}

export function integer(
  env: string,
  doc: string,
  fallback: number,
  range: { readonly min: number; readonly max: number },
): Setting<number> {
  return {
    env,
    doc,
    fallback: String(fallback),
    parse(value) {
      const number = Number(value);
      if (!Number.isInteger(number) || number < range.min || number > range.max) {
        throw invalid(env, value, `a whole number from ${range.min} to ${range.max}`);
      }
      return number;
    },
  };
}

export function optionalInteger(
  env: string,
  doc: string,
  range: { readonly min: number; readonly max: number },
): Setting<number | undefined> {
  const inner = integer(env, doc, range.min, range);
  return {
    env,
    doc,
    fallback: undefined,
    parse: (value) => (value === "" ? undefined : inner.parse(value)),
  };
}

/** Ports of TCP; 0 takes any free one. */
const PORTS = { min: 0, max: 65_535 };
/** Opens no listener. */
const OFF = "off";

/** A port to listen on; `undefined`: no listener. `fallback` `undefined`: off unless it is set. */
export function port(env: string, doc: string, fallback?: number): Setting<number | undefined> {
  const allowed = `a whole number from ${PORTS.min} to ${PORTS.max}, or ${OFF}`;
  return {
    env,
    doc,
    fallback: fallback === undefined ? undefined : String(fallback),
    parse(value) {
      if (value === "" || value === OFF) return undefined;
      const number = Number(value);
      if (Number.isInteger(number) && number >= PORTS.min && number <= PORTS.max) return number;
      throw invalid(env, value, allowed);
    },
  };
}

export function choice<const T extends string>(
  env: string,
  doc: string,
  allowed: readonly T[],
  fallback: T,
): Setting<T> {
  return {
    env,
    doc,
    fallback,
    parse(value) {
      const found = allowed.find((one) => one === value);
      if (found === undefined) throw invalid(env, value, `one of ${allowed.join(", ")}`);
      return found;
    },
  };
}

/** Networks as `address/bits`, separated by commas; a single address means itself. */
export function cidrs(env: string, doc: string): Setting<readonly string[]> {
  return {
    env,
    doc,
    fallback: "",
    parse(value) {
      const given = value.split(",").map((text) => text.trim());
      return given
        .filter((text) => text !== "")
        .map((text) => {
          const cidr = isIP(text) === 0 ? text : `${text}/${isIP(text) === 4 ? 32 : 128}`;
          const [address = "", bits = ""] = cidr.split("/");
          const most = isIP(address) === 4 ? 32 : 128;
          if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most) {
            throw invalid(env, text, "a network such as 192.168.0.0/16 or fd00::/8");
          }
          return cidr;
        });
    },
  };
}

export function optionalUrl(
  env: string,
  doc: string,
  protocols: readonly string[],
): Setting<string | undefined> {
  return {
    env,
    doc,
    fallback: undefined,
    parse(value) {
      if (value === "") return undefined;
      const url = URL.canParse(value) ? new URL(value) : undefined;
      if (url === undefined || !protocols.includes(url.protocol)) {
        throw invalid(env, value, `a URL that starts with ${protocols.join(" or ")}`);
      }
      return value;
    },
  };
}
