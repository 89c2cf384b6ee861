import type { FastifyInstance } from "fastify";

/** The methods of a path that has routes, for `Allow`; none: it has no route, or none but the contract's. */
export type AllowedMethods = (path: string) => readonly string[];

interface Path {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
  /** A path of the contract's alone answers with its statuses, of which 405 is not one. */
  isContract: boolean;
}

/** Notes the methods of every route that is added to `app` from now on. */
export function noteMethods(app: FastifyInstance): AllowedMethods {
  const paths = new Map<string, Path>();
  app.addHook("onRoute", ({ url, method, config }) => {
    if (url.includes("*")) return;
    const path = paths.get(url) ?? {
      pattern: patternOf(url),
      methods: new Set<string>(),
      isContract: true,
    };
    paths.set(url, path);
    for (const one of [method].flat()) path.methods.add(one.toUpperCase());
    path.isContract &&= config?.contract === true;
  });
  // Paths are compared one by one: only requests that no route took ask for them.
  return (path) => {
    const found = [...paths.values()].filter(({ pattern }) => pattern.test(path));
    if (found.every(({ isContract }) => isContract)) return [];
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
}

/** What a route's `/things/:thing_id` takes. */
function patternOf(url: string): RegExp {
  const segments = url
    .split("/")
    .map((segment) => (segment.startsWith(":") ? "[^/]+" : segment.replace(/[.+]/g, "\\$&")));
  return new RegExp(`^${segments.join("/")}$`);
}
