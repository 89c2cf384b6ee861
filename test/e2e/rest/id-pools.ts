import type { Operation } from "./operations.ts";

/** Who sends requests: keys of one customer, which see that customer's projects alone. */
export interface Tenant {
  readonly name: string;
  /** Part of the names of what it makes; as long as the placeholder's. */
  readonly marker: string;
  readonly keys: readonly string[];
  /** Address of a picture that was uploaded. */
  readonly imageUrl: string;
}

/** Ids of what exists, by the path parameter that names it (`asset_id`), and by the tenant that saw it. */
export interface IdPools {
  /** The other customer. */
  other(tenant: Tenant): Tenant;
  /** Some id, or one of nothing where none is known. */
  pick(param: string, tenant: Tenant, number: number): string;
  /** The same for what is deleted: never one that was made before the test. */
  pickPassing(param: string, tenant: Tenant, number: number): string;
  /** Whether the pools ever had ids of that parameter. */
  knows(param: string): boolean;
  /** Learns from an answer of 2xx. `isShown`: to a key of the tenant, and not to an administrator. */
  learn(operation: Operation, tenant: Tenant, body: unknown, isShown: boolean): void;
  /** Adds an id that was made before the test; it is picked most often. */
  know(param: string, tenant: Tenant, id: string): void;
  /** The first id in a text that only the other customer was ever shown. */
  foreignIdIn(text: string, tenant: Tenant): string | undefined;
}

/** Most ids of one kind and tenant; older ones are forgotten. Requests for what is gone stay likely. */
const MOST = 40;
/** Keys of customers see none but their first. */
const MOST_PROJECTS = 3;
/** Parameters that name things of another kind. */
const ALIASES: Readonly<Record<string, string>> = { equipment_id: "asset_id" };
/** Shorter ids could be words of an answer. */
const TELLING_LENGTH = 8;

/** What `fixed` has is the same for everybody, such as types of assets. */
export function createIdPools(
  operations: readonly Operation[],
  tenants: readonly [Tenant, Tenant],
  fixed: Readonly<Record<string, readonly string[]>>,
): IdPools {
  const ids = new Map<string, string[]>();
  const seen = new Map<Tenant, Set<string>>(tenants.map((tenant) => [tenant, new Set()]));
  /** By path of a collection: the parameter that names one of it. */
  const paramOf = new Map<string, string>();
  for (const { path } of operations) {
    for (const { 1: param = "", index } of path.matchAll(/\/\{([^}]+)\}/g)) {
      paramOf.set(path.slice(0, index), param);
    }
  }

  const params = new Set(paramOf.values());
  const other = (tenant: Tenant) => (tenant === tenants[0] ? tenants[1] : tenants[0]);

  function add(param: string, tenant: Tenant, id: string, isShown: boolean): void {
    if (isShown && id.length >= TELLING_LENGTH) seen.get(tenant)?.add(id);
    const key = `${param} ${tenant.name}`;
    const pool = ids.get(key) ?? [];
    ids.set(key, pool);
    if (pool.includes(id)) return;
    pool.push(id);
    // The first one was made before the test and lasts.
    if (pool.length > (param === "project_id" ? MOST_PROJECTS : MOST)) pool.splice(1, 1);
  }

  return {
    other,
    knows: (param) => param in fixed || params.has(param),
    pick(param, tenant, number) {
      const pool = fixed[param] ?? ids.get(`${ALIASES[param] ?? param} ${tenant.name}`) ?? [];
      // Work needs things that last: the first one, made before the test, comes often.
      const at = number % 3 === 0 ? 0 : number % Math.max(1, pool.length);
      return pool[at] ?? "nothing-there";
    },
    pickPassing(param, tenant, number) {
      const pool = fixed[param] ?? ids.get(`${param} ${tenant.name}`) ?? [];
      return pool[1 + (number % Math.max(1, pool.length - 1))] ?? "nothing-there";
    },
    know(param, tenant, id) {
      params.add(param);
      add(param, tenant, id, true);
    },
    learn(operation, tenant, body, isShown) {
      const param = paramOf.get(operation.path);
      if (param === undefined || typeof body !== "object" || body === null) return;
      const entries = "data" in body && Array.isArray(body.data) ? body.data : [body];
      for (const entry of entries as readonly Readonly<Record<string, unknown>>[]) {
        const id = entry["id"] ?? entry["sequence"] ?? entry["message_id"];
        if (typeof id === "string" || typeof id === "number")
          add(param, tenant, String(id), isShown);
      }
    },
    foreignIdIn(text, tenant) {
      const own = seen.get(tenant);
      const foreign = seen.get(other(tenant));
      for (const [token] of text.matchAll(/[\w-]{8,}/g)) {
        if (foreign?.has(token) === true && own?.has(token) !== true) return token;
      }
      return undefined;
    },
  };
}
