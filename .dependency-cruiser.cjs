/**
 * `client` imports nothing of ours, and nothing but the console and tests imports it.
 * `console` runs in browsers: of ours it has the client, and types of `domain`.
 * Allowed direction: domain <- config <- {storage, outbound, tls} <- {ingest, processing} <- api <- roles <- service, main.
 */
const below = {
  client: [],
  console: ["client", "domain"],
  domain: [],
  config: ["domain"],
  storage: ["domain", "config"],
  outbound: ["domain", "config"],
  tls: ["domain", "config"],
  ingest: ["domain", "config", "storage", "outbound", "tls"],
  processing: ["domain", "config", "storage", "outbound"],
  api: ["domain", "config", "storage", "outbound", "ingest", "processing"],
  roles: ["domain", "config", "storage", "outbound", "tls", "ingest", "processing", "api"],
  cli: ["domain", "config", "storage", "ingest", "processing"],
  simulators: ["domain", "config"],
};
const rooms = [...Object.keys(below), "bench", "scripts", "test"];

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "not-to-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    ...Object.entries(below).map(([room, allowed]) => ({
      name: `${room}-looks-down-only`,
      severity: "error",
      from: { path: `^${room}/` },
      to: {
        path: `^((main|service|demo|cli)\\.ts$|(${rooms.filter((r) => r !== room && !allowed.includes(r)).join("|")})/)`,
      },
    })),
    {
      name: "console-has-types-of-domain-only",
      comment: "What the server computes stays there; its libraries do not reach the browser.",
      severity: "error",
      from: { path: "^console/" },
      to: { path: "^domain/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "adapters-only-through-open",
      comment: "Everybody else sees storage/ports/ and storage/open*.ts.",
      severity: "error",
      from: { pathNot: "^(storage|test|bench|scripts)/" },
      to: { path: "^storage/(journal|kafka|telemetry|records|files)/" },
    },
    {
      name: "algorithms-do-no-io",
      severity: "error",
      from: { path: "^processing/(geometry|grid|numeric|photogrammetry|volume)/" },
      to: { path: "^(node:)?(fs|net|http|worker_threads)", dependencyTypes: ["core"] },
    },
    {
      name: "demo-is-a-client",
      comment:
        "The demo starts the real program as a process of its own; it never reaches into it.",
      severity: "error",
      from: { path: "^demo\\.ts$" },
      to: { path: "^((main|service)\\.ts$|(storage|ingest|processing|api|roles)/)" },
    },
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
