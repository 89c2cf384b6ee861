import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  readonly ports?: readonly string[];
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
const OUR_IMAGE = compose.services["api"]?.image ?? "";
const ours = services.filter(([, service]) => service.image === OUR_IMAGE);
/** Of our own processes, those that are the service. */
const roles = ours.filter(([, service]) => service.environment?.["ROLE"] !== undefined);

/** Variables of an env file, also those that are there to be uncommented. */
function variablesOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}
const example = variablesOf(read("deploy/plumbline.env.example"));
/** Names of every setting of the service. */
const settings = [...variablesOf(read(".env.example")).keys()];

/** Interpolates as compose does. */
function interpolate(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /\$\{([A-Z0-9_]+)(?:(:?)([-?])([^}]*))?\}/g,
    (_, name: string, colon = "", operator = "", word = "") => {
      const value = variables.get(name);
      if (value !== undefined && (value !== "" || colon === "")) return value;
      if (operator === "?") throw new Error(`${name}: ${word}`);
      return word;
    },
  );
}

/** What `deploy/make-env.sh` writes, made in a folder of its own. */
function madeEnv(...args: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), "plumbline-deploy-"));
  try {
    for (const file of ["make-env.sh", "plumbline.env.example"]) {
      cpSync(new URL(`deploy/${file}`, root), join(dir, file));
    }
    chmodSync(dir, 0o755);
    const run = () => execFileSync("sh", [join(dir, "make-env.sh"), ...args], { stdio: "pipe" });
    run();
    const made = join(dir, "plumbline.env");
    const text = readFileSync(made, "utf8");
    let again = "written again";
    try {
      run();
    } catch (error) {
      again = String((error as { stderr: Buffer }).stderr);
    }
    const isKept = readFileSync(made, "utf8") === text;
    return { text, mode: statSync(made).mode & 0o777, again, isKept, files: readdirSync(dir) };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
const made = new Map(
  [...madeEnv().text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map((m) => [m[1] ?? "", m[2] ?? ""]),
);

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

  it("builds the image of our processes once", () => {
    // Compose runs builds at the same time, and two of one tag end in "already exists".
    const builders = services.filter(([, { build }]) => build !== undefined).map(([name]) => name);
    expect(builders).toEqual(["api"]);
    expect(ours.map(([name]) => name).sort()).toEqual([
      "api",
      "ingest",
      "ingest-2",
      "processing",
      "simulator",
    ]);
  });

  it("passes every setting of .env.example to every process, and no other", () => {
    expect([...settings].sort()).toEqual(
      Object.values(SETTINGS)
        .map(({ env }) => env)
        .sort(),
    );
    expect(roles.map(([name]) => name).sort()).toEqual(["api", "ingest", "ingest-2", "processing"]);
    for (const [name, { environment = {} }] of roles) {
      const passed = Object.keys(environment).filter((variable) => variable !== "NODE_ENV");
      expect([name, passed.sort()]).toEqual([name, [...settings].sort()]);
    }
  });

  it("lets the env file change every setting that the containers do not fix", () => {
    const fixed = [
      "DATA_DIR",
      "HTTP_HOST",
      "HTTP_PORT",
      "MQTTS_PORT",
      "MQTT_HOST",
      "OSMAND_HOST",
      "ROLE",
      "TELTONIKA_HOST",
    ];
    for (const [name, { environment = {} }] of roles) {
      const unchanged = settings.filter((setting) => {
        const own = interpolate(environment[setting] ?? "", new Map([...made, [setting, "own"]]));
        return own !== "own";
      });
      expect([name, unchanged.sort()]).toEqual([name, fixed]);
    }
  });

  it("starts with what deploy/make-env.sh writes, and with nothing left empty", () => {
    for (const [, { environment = {} }] of roles) {
      const values = Object.fromEntries(
        Object.entries(environment).map(([name, text]) => [name, interpolate(text, made)]),
      );
      expect(readSettings(values).role).toBe(environment["ROLE"]);
    }
    const text = read("docker-compose.yml");
    const required = new Set(
      [...text.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name = ""]) => name),
    );
    expect(required.size).toBe(10);
    for (const name of required) {
      expect(() => interpolate(text, new Map([...made, [name, ""]]))).toThrow(
        `${name}: run deploy/make-env.sh`,
      );
    }
  });

  it("opens a listener where the env file gives it a port, and publishes the same port", () => {
    const ports = compose.services["ingest"]?.ports ?? [];
    const own = new Map([
      ["INGEST_HTTP_PORT", "8081"],
      ["MQTTS_PORT", "8883"],
      ["MQTT_WS_PORT", "9001"],
      ["MQTT_WSS_PORT", "9002"],
      ["TELTONIKA_PORT", "5028"],
      ["OSMAND_PORT", "5056"],
    ]);
    expect(ports.map((port) => interpolate(port, own))).toEqual([
      "1883:1883",
      "8081:8080",
      "8883:8883",
      "9001:9001",
      "9002:9002",
      "5028:5028",
      "5056:5056",
    ]);
    // Nobody but this machine reaches what is not asked for.
    expect(ports.slice(1).map((port) => interpolate(port, new Map()))).toEqual([
      "127.0.0.1::8080",
      "127.0.0.1::8883",
      "127.0.0.1::8083",
      "127.0.0.1::8084",
      "127.0.0.1::5027",
      "127.0.0.1::5055",
    ]);
  });

  it("uses every variable of the example file, and documents every one it uses", () => {
    const text = read("docker-compose.yml");
    const used = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name = ""]) => name));
    used.delete("PLUMBLINE_VERSION");
    expect([...used].filter((name) => !example.has(name) && !settings.includes(name))).toEqual([]);
    // COMPOSE_PROFILES is compose's own.
    expect([...example.keys()].filter((name) => !used.has(name))).toEqual(["COMPOSE_PROFILES"]);
  });

  it("holds no secret of its own", () => {
    const secretNames = /(PASSWORD|TOKEN|SECRET|COOKIE|_KEY$)/;
    for (const [name, { environment = {} }] of services) {
      for (const [variable, value] of Object.entries(environment)) {
        if (!secretNames.test(variable)) continue;
        expect([name, variable, value]).toEqual([name, variable, expect.stringMatching(/\$\{/)]);
      }
    }
    for (const [name, value] of example) {
      if (secretNames.test(name)) expect([name, value]).toEqual([name, ""]);
    }
  });

  it("pins every image to a version", () => {
    for (const [name, { image }] of services) {
      const tag = image.startsWith("plumbline:") ? "1" : image.split(":")[1];
      expect([name, tag]).toEqual([name, expect.stringMatching(/\d/)]);
    }
    const bases = [...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set(["node:24.21.0-bookworm-slim"]));
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
      const isChecked = service.healthcheck !== undefined || service.image === OUR_IMAGE;
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
    "merges every setting into every process of every profile, as the client sees it",
    () => {
      const [command = "docker-compose", ...args] = client ?? [];
      const env = { ...process.env, ...Object.fromEntries(made), COMPOSE_PROFILES: "" };
      for (const profile of ["", "simulate", "cluster", "photogrammetry", "observe"]) {
        const selected = profile === "" ? [] : ["--profile", profile];
        const merged = parse(
          execFileSync(command, [...args, ...selected, "config"], {
            cwd: root,
            env,
            encoding: "utf8",
          }),
        ) as typeof compose;
        const wanted = services
          .filter(([, { profiles = [profile] }]) => profiles.includes(profile))
          .map(([name]) => name);
        // The older program lists the services of every profile.
        expect(Object.keys(merged.services)).toEqual(expect.arrayContaining(wanted));
        for (const name of wanted.filter((one) => roles.some(([role]) => role === one))) {
          const passed = Object.keys(merged.services[name]?.environment ?? {});
          expect([name, passed.sort()]).toEqual([name, ["NODE_ENV", ...settings].sort()]);
        }
      }
    },
  );
});

describe("deploy/make-env.sh", () => {
  const secrets = [...example].filter(([, value]) => value === "").map(([name]) => name);

  it("gives every empty variable a new secret of 256 bits, and keeps the rest", () => {
    const first = madeEnv();
    const generated = secrets.filter((name) => !["DATABASE_URL", "EMQX_API_KEY"].includes(name));
    expect(generated.length).toBe(10);
    const values = generated.map((name) => made.get(name) ?? "");
    for (const value of values) expect(value).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(values).size).toBe(generated.length);
    expect(made.get("DATABASE_URL")).toBe(
      `postgres://plumbline:${made.get("POSTGRES_PASSWORD")}@postgres:5432/plumbline`,
    );
    expect(first.text).not.toContain(made.get("SECRET_KEY"));
    expect(first.text.replaceAll(/[0-9a-f]{64}/g, "")).toBe(
      read("deploy/plumbline.env.example").replace(
        /^DATABASE_URL=$/m,
        "DATABASE_URL=postgres://plumbline:@postgres:5432/plumbline",
      ),
    );
  });

  it("writes a file that only its owner reads, and never over one that is there", () => {
    const { mode, again, isKept, files } = madeEnv();
    expect(mode).toBe(0o600);
    expect(again).toContain("is there already");
    expect(isKept).toBe(true);
    expect(files.sort()).toEqual(["make-env.sh", "plumbline.env", "plumbline.env.example"]);
  });

  it("takes the public address from its argument", () => {
    expect(madeEnv("https://site.example.com").text).toMatch(
      /^PUBLIC_URL=https:\/\/site\.example\.com$/m,
    );
  });
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
    .filter((path) => !/^(grids|tls)\//.test(path) || path.endsWith("/.gitignore"))
    .sort();
  expect(files).toEqual([
    "emqx/base.hocon",
    "grafana/dashboards/plumbline.json",
    "grafana/provisioning/dashboards/plumbline.yml",
    "grafana/provisioning/datasources/prometheus.yml",
    "grids/.gitignore",
    "healthcheck.mjs",
    "make-env.sh",
    "plumbline.env.example",
    "prometheus/alerts.yml",
    "prometheus/prometheus.yml",
    "tls/.gitignore",
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
