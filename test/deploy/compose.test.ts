import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readSettings, SETTINGS } from "../../config/settings.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

interface Service {
  readonly image: string;
  readonly build?: unknown;
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: object;
  readonly command?: readonly string[];
  readonly privileged?: boolean;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

const compose: {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
} = parse(read("docker-compose.yml"), { merge: true });
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => service.build !== undefined);
/** Of our own processes, those that are the service. */
const roles = ours.filter(([, service]) => service.environment?.["ROLE"] !== undefined);

/** The variables of the example file: set ones, and those that are there to be uncommented. */
const example = new Map(
  [...read("deploy/plumbline.env.example").matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(
    ([, name = "", value = ""]) => [name, value],
  ),
);

/** Interpolates as compose does, with the example's values. */
function interpolate(text: string): string {
  return text.replaceAll(/\$\{([A-Z0-9_]+)(?::?[-?]([^}]*))?\}/g, (_, name: string, fallback) => {
    const value = example.get(name) ?? fallback ?? "";
    return value === "CHANGE-ME" ? "0123456789abcdef0123456789abcdef" : value;
  });
}

describe("docker-compose.yml", () => {
  it("has the services and profiles that the README names", () => {
    const names = (profile: string) =>
      services
        .filter(([, { profiles }]) => (profiles?.join() ?? "") === profile)
        .map(([name]) => name)
        .sort();
    const profiles = new Set(services.map(([, service]) => service.profiles?.join() ?? ""));
    expect(profiles.size).toBe(5);
    expect(names("")).toEqual(["api", "influxdb", "ingest", "objects", "postgres", "processing"]);
    expect(names("simulate")).toEqual(["simulator"]);
    expect(names("cluster")).toEqual(["emqx", "ingest-2"]);
    expect(names("photogrammetry")).toEqual(["nodeodm"]);
    expect(names("observe")).toEqual(["grafana", "prometheus"]);
  });

  it("gives our processes only settings that exist, and values that they accept", () => {
    const known = new Set([...Object.values(SETTINGS).map(({ env }) => env), "NODE_ENV"]);
    expect(roles.map(([name]) => name).sort()).toEqual(["api", "ingest", "ingest-2", "processing"]);
    for (const [name, { environment = {} }] of roles) {
      const unknown = Object.keys(environment).filter((variable) => !known.has(variable));
      expect([name, unknown]).toEqual([name, []]);
      const values = Object.fromEntries(
        Object.entries(environment).map(([variable, text]) => [variable, interpolate(text)]),
      );
      expect(readSettings(values).role).toBe(environment["ROLE"]);
    }
  });

  it("takes every variable from the example file, and every one there is used", () => {
    const text = read("docker-compose.yml");
    const used = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name = ""]) => name));
    used.delete("PLUMBLINE_VERSION");
    expect([...used].filter((name) => !example.has(name))).toEqual([]);
    // COMPOSE_PROFILES is compose's own.
    expect([...example.keys()].filter((name) => !used.has(name))).toEqual(["COMPOSE_PROFILES"]);
  });

  it("holds no secret of its own", () => {
    const secretNames = /(PASSWORD|TOKEN|SECRET|COOKIE|_KEY$)/;
    for (const [name, { environment = {} }] of services) {
      for (const [variable, value] of Object.entries(environment)) {
        if (!secretNames.test(variable)) continue;
        expect([name, variable, value]).toEqual([name, variable, expect.stringMatching(/^\$\{/)]);
      }
    }
    for (const [name, value] of example) {
      if (secretNames.test(name)) expect([name, value]).toEqual([name, "CHANGE-ME"]);
    }
  });

  it("pins every image to a version", () => {
    for (const [name, { image }] of services) {
      const tag = image.startsWith("plumbline:") ? "1" : image.split(":")[1];
      expect([name, tag]).toEqual([name, expect.stringMatching(/\d/)]);
    }
    const bases = [...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set(["node:20.20.2-bookworm-slim"]));
  });

  it("restarts what is to run, checks its health, and gives nobody more rights", () => {
    for (const [name, service] of services) {
      const { restart, privileged, security_opt: security = [] } = service;
      expect([name, restart]).toEqual([name, name === "simulator" ? "no" : "unless-stopped"]);
      expect([name, privileged, security]).toEqual([
        name,
        undefined,
        expect.arrayContaining(["no-new-privileges:true"]),
      ]);
      // Ours has its check in the image; NodeODM's image has neither curl nor wget to count on.
      const isChecked = service.healthcheck !== undefined || service.build !== undefined;
      expect([name, isChecked]).toEqual([name, name !== "nodeodm"]);
    }
    for (const [name, service] of ours) {
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ["ALL"]]);
    }
  });

  it("keeps data in named volumes, one journal for each ingest node", () => {
    const mounts = services.flatMap(([name, { volumes = [] }]) =>
      volumes.map((volume) => ({ name, source: volume.split(":")[0] ?? "" })),
    );
    const named = mounts.filter(({ source }) => !source.startsWith("./"));
    expect(named.map(({ source }) => source).sort()).toEqual(Object.keys(compose.volumes).sort());
    for (const { source } of mounts.filter((mount) => mount.source.startsWith("./"))) {
      expect([source, existsSync(new URL(source, root))]).toEqual([source, true]);
    }
  });

  it("waits for what a process needs", () => {
    for (const [name, { depends_on: needed = {} }] of roles) {
      expect([name, Object.keys(needed).sort()]).toEqual([
        name,
        ["influxdb", "objects", "postgres"],
      ]);
      for (const { condition } of Object.values(needed)) expect(condition).toBe("service_healthy");
    }
  });

  const client = findClient();
  it.skipIf(client === undefined && !isRequired("docker-compose"))(
    "is accepted by the client for every profile",
    { timeout: 60_000 },
    () => {
      const [command = "docker-compose", ...args] = client ?? [];
      const env = { ...process.env, ...Object.fromEntries(example), COMPOSE_PROFILES: "" };
      for (const profile of ["", "simulate", "cluster", "photogrammetry", "observe"]) {
        const selected = profile === "" ? [] : ["--profile", profile];
        const out = execFileSync(command, [...args, ...selected, "config", "--services"], {
          cwd: root,
          env,
          encoding: "utf8",
        });
        const wanted = services
          .filter(([, { profiles = [profile] }]) => profiles.includes(profile))
          .map(([name]) => name);
        // The older program lists the services of every profile.
        expect(out.trim().split("\n")).toEqual(expect.arrayContaining(wanted));
      }
    },
  );
});

describe("Dockerfile", () => {
  const dockerfile = read("Dockerfile");

  it("runs as a user without rights, without a shell, with a health check", () => {
    const stage = dockerfile.slice(dockerfile.lastIndexOf("FROM"));
    expect(stage).toMatch(/^USER node$/m);
    expect(stage.indexOf("USER node")).toBeGreaterThan(stage.lastIndexOf("COPY"));
    expect(stage).toMatch(/^CMD \["node",/m);
    expect(stage).toMatch(/^HEALTHCHECK [^\n]*\\\n\s+CMD \["node", "\/app\/healthcheck\.mjs"\]/m);
    expect(stage).not.toMatch(/^(ADD|ARG) /m);
    expect(dockerfile).not.toMatch(/apt-get|curl|sudo|latest|--allow-root/);
  });

  it("is given every folder that the build needs", () => {
    const given = [...read(".dockerignore").matchAll(/^!(\S+)$/gm)].map(([, path = ""]) => path);
    const { include } = JSON.parse(read("tsconfig.build.json")) as { include: string[] };
    const missing = include.filter(
      (path) => !given.includes(path) && !(path.endsWith(".ts") && given.includes("*.ts")),
    );
    expect(missing).toEqual([]);
    for (const path of ["package.json", "package-lock.json", ".npmrc", "tsconfig.build.json"]) {
      expect(given).toContain(path);
    }
    expect(given.filter((path) => /test|bench|data|\.env|\.git$/.test(path))).toEqual([]);
  });
});

it("deploy/ holds no file that nothing refers to", () => {
  const files = readdirSync(new URL("deploy/", root), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.\w+$/.test(path) && !path.endsWith("plumbline.env"))
    .sort();
  expect(files).toEqual([
    "emqx/base.hocon",
    "grafana/dashboards/plumbline.json",
    "grafana/provisioning/dashboards/plumbline.yml",
    "grafana/provisioning/datasources/prometheus.yml",
    "healthcheck.mjs",
    "plumbline.env.example",
    "prometheus/alerts.yml",
    "prometheus/prometheus.yml",
  ]);
});

function isRequired(name: string): boolean {
  return (process.env["REQUIRE_BACKENDS"] ?? "").split(",").includes(name);
}

/** The plugin of Docker's client, or the older program of its own. */
function findClient(): readonly string[] | undefined {
  for (const candidate of [["docker", "compose"], ["docker-compose"]]) {
    const [command = "", ...args] = candidate;
    try {
      execFileSync(command, [...args, "version"], { stdio: "ignore" });
      return candidate;
    } catch {
      // The next one.
    }
  }
  return undefined;
}
