import type { IdPools, Tenant } from "./id-pools.ts";

/** Takes the place, in a generated request, of what is known only when it is sent. */
export type Placeholder =
  /** The id of something that exists, or existed; `param` is the path parameter that names such things. */
  | { readonly $id: string; readonly pick: number; readonly whose: "own" | "foreign" }
  /** A piece of JSON that `JSON.stringify` cannot write, such as `1e400`. */
  | { readonly $raw: string };

/** In generated texts: the name of the tenant that sends them. */
export const MARKER = "MARKMARK";

const RAW = "\u0001raw:";

export function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === "object" && value !== null && ("$id" in value || "$raw" in value);
}

/** A generated value with ids and names in place. */
export function resolveFor(
  value: unknown,
  tenant: Tenant,
  pools: IdPools,
  mayBeForeign: boolean,
): unknown {
  if (typeof value === "string") return value.replaceAll(MARKER, tenant.marker);
  if (typeof value !== "object" || value === null) return value;
  if (isPlaceholder(value)) {
    if ("$raw" in value) return `${RAW}${Buffer.from(value.$raw).toString("hex")}\u0001`;
    const owner = value.whose === "own" || !mayBeForeign ? tenant : pools.other(tenant);
    return pools.pick(value.$id, owner, value.pick);
  }
  const resolve = (inner: unknown): unknown => resolveFor(inner, tenant, pools, mayBeForeign);
  if (Array.isArray(value)) return value.map(resolve);
  const resolved: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value)) {
    // Also `__proto__`, which an assignment would not make a member.
    Object.defineProperty(resolved, name.replaceAll(MARKER, tenant.marker), {
      value: resolve(entry),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return resolved;
}

/** JSON of a resolved value, with its raw pieces in place. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "";
  return json.replaceAll(/"\\u0001raw:([0-9a-f]*)\\u0001"/g, (_, hex: string) =>
    Buffer.from(hex, "hex").toString(),
  );
}
