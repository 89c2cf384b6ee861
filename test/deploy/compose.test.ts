import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { isPlaceholder } from "../../config/placeholder.ts";
import { readSettings, SETTINGS } from "../../config/settings.ts";
import {
  type Compose,
  compose,
  interpolate,
  madeEnv,
  OUR_IMAGE,
  ourServices as ours,
  readRepositoryFile as read,
  roleServices as roles,
  composeServices as services,
  setVariablesOf,
  variablesOf,
} from "../support/compose-file.ts";

const root = new URL("../../", import.meta.url);
const example = variablesOf(read("deploy/plumbline.env.example"));
/** Names of every setting of the service. */
const settings = [...variablesOf(read(".env.example")).keys()];
const made = setVariablesOf(madeEnv().text);
const PROFILES = ["simulate", "cluster", "kafka", "proxy", "photogrammetry", "observe"];

describe("docker-compose.yml", () => {
  it("docker-compose.yml has the services and profiles that `docs/deploy.md` names", () => {
    const names = (profile: string) =>
      services
        .filter(([, { profiles = [""] }]) => profiles.includes(profile))
        .map(([name]) => name)
        .sort();
    const profiles = new Set(services.flatMap(([, service]) => service.profiles ?? []));
    expect([...profiles].sort()).toEqual([...PROFILES].sort());
    const rows = [...read("docs/deploy.md").matchAll(/^\| `([a-z]+)` \|/gm)].map(([, row]) => row);
    expect(rows.sort()).toEqual([...PROFILES].sort());
    expect(names("")).toEqual([
      "api",
      "check",
      "influxdb",
      "ingest",
      "objects",
      "postgres",
      "processing",
    ]);
    expect(names("simulate")).toEqual(["simulator"]);
    expect(names("cluster")).toEqual(["emqx"]);
    expect(names("photogrammetry")).toEqual(["nodeodm"]);
    expect(names("observe")).toEqual(["alertmanager", "grafana", "prometheus"]);
    expect(names("kafka")).toEqual([
      "api-2",
      "balancer",
      "ingest-2",
      "kafka-1",
      "kafka-2",
      "kafka-3",
    ]);
    expect(names("proxy")).toEqual(["proxy"]);
  });

  it("docker-compose.yml builds the image of our processes once", () => {
    // Compose runs builds at the same time, and two of one tag end in "already exists".
    const builders = services.filter(([, { build }]) => build !== undefined).map(([name]) => name);
    expect(builders).toEqual(["api"]);
    expect(ours.map(([name]) => name).sort()).toEqual([
      "api",
      "api-2",
      "check",
      "ingest",
      "ingest-2",
      "processing",
      "simulator",
    ]);
  });

  it("docker-compose.yml passes every setting of .env.example to every process, and no other", () => {
    expect([...settings].sort()).toEqual(
      Object.values(SETTINGS)
        .map(({ env }) => env)
        .sort(),
    );
    expect(roles.map(([name]) => name).sort()).toEqual([
      "api",
      "api-2",
      "ingest",
      "ingest-2",
      "processing",
    ]);
    for (const [name, { environment = {} }] of roles) {
      const passed = Object.keys(environment).filter((variable) => variable !== "NODE_ENV");
      expect([name, passed.sort()]).toEqual([name, [...settings].sort()]);
    }
  });

  it("docker-compose.yml lets the env file change every setting that the containers do not fix", () => {
    const fixed = ["DATA_DIR", "HTTP_HOST", "MQTT_HOST", "OSMAND_HOST", "ROLE", "TELTONIKA_HOST"];
    for (const [name, { environment = {} }] of roles) {
      const unchanged = settings.filter((setting) => {
        const own = interpolate(environment[setting] ?? "", new Map([...made, [setting, "own"]]));
        return own !== "own";
      });
      expect([name, unchanged.sort()]).toEqual([name, fixed]);
    }
  });

  it("docker-compose.yml starts with what deploy/make-env.sh writes, and with nothing left empty", () => {
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

  it("docker-compose.yml publishes listeners by variables of their own, whatever port a process is given", () => {
    const listeners = [
      ["ingest", "INGEST_MQTT_PORT", "MQTT_PORT", 1883],
      ["ingest", "INGEST_HTTP_PORT", "HTTP_PORT", 8080],
      ["ingest", "INGEST_MQTTS_PORT", "MQTTS_PORT", 8883],
      ["ingest", "INGEST_MQTT_WS_PORT", "MQTT_WS_PORT", 8083],
      ["ingest", "INGEST_MQTT_WSS_PORT", "MQTT_WSS_PORT", 8084],
      ["ingest", "INGEST_TELTONIKA_PORT", "TELTONIKA_PORT", 5027],
      ["ingest", "INGEST_OSMAND_PORT", "OSMAND_PORT", 5055],
      ["api", "API_HTTP_PORT", "HTTP_PORT", 8080],
      ["api", "API_HTTPS_PORT", "HTTPS_PORT", 8443],
    ] as const;
    const ofBoth = [compose.services["ingest"], compose.services["api"]];
    expect(ofBoth.flatMap((service) => service?.ports ?? [])).toHaveLength(listeners.length);
    for (const [name, published, setting, inside] of listeners) {
      const port = compose.services[name]?.ports?.find((one) => one.includes(published)) ?? "";
      const isOpen = ["INGEST_MQTT_PORT", "API_HTTP_PORT"].includes(published);
      for (const value of ["off", "0", String(inside)]) {
        const given = new Map([[setting, value]]);
        // Nobody but this machine reaches what is not asked for.
        const host = isOpen ? String(inside) : "127.0.0.1:";
        expect(interpolate(port, given)).toBe(`${host}:${inside}`);
        expect(interpolate(port, new Map([...given, [published, "4000"]]))).toBe(`4000:${inside}`);
        const passed = compose.services[name]?.environment?.[setting] ?? "";
        expect(interpolate(passed, given)).toBe(value);
      }
    }
  });

  it("docker-compose.yml uses every variable of the example file, and documents every one it uses", () => {
    const text = read("docker-compose.yml");
    const used = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name = ""]) => name));
    used.delete("PLUMBLINE_VERSION");
    expect([...used].filter((name) => !example.has(name) && !settings.includes(name))).toEqual([]);
    // COMPOSE_PROFILES is compose's own.
    expect([...example.keys()].filter((name) => !used.has(name))).toEqual(["COMPOSE_PROFILES"]);
  });

  it("docker-compose.yml holds no secret of its own", () => {
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

  it("docker-compose.yml pins every image to a version", () => {
    for (const [name, { image }] of services) {
      const tag = image.startsWith("plumbline:") ? "1" : image.split(":")[1];
      expect([name, tag]).toEqual([name, expect.stringMatching(/\d/)]);
    }
    const bases = [...read("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).toEqual(new Set(["node:24.21.0-bookworm-slim"]));
  });

  it("docker-compose.yml has the InfluxDB that test/support/influx2/build.sh builds, which was run for real", () => {
    const [, version] = /^version=v(.+)$/m.exec(read("test/support/influx2/build.sh")) ?? [];
    expect(compose.services["influxdb"]?.image).toBe(`influxdb:${version}`);
    expect(read("docs/influxdb.md")).toContain(`builds InfluxDB ${version} of its Go modules`);
  });

  it("docker-compose.yml restarts what is to run, checks its health, and gives no service more rights", () => {
    for (const [name, service] of services) {
      const { restart, privileged, security_opt: security = [] } = service;
      const isShort = name === "simulator" || name === "check";
      expect([name, restart]).toEqual([name, isShort ? "no" : "unless-stopped"]);
      expect([name, privileged, security]).toEqual([
        name,
        undefined,
        expect.arrayContaining(["no-new-privileges:true"]),
      ]);
      // Ours has its check in the image.
      const isChecked = service.healthcheck !== undefined || service.image === OUR_IMAGE;
      expect([name, isChecked]).toEqual([name, true]);
    }
    for (const [name, service] of ours) {
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ["ALL"]]);
    }
  });

  it("docker-compose.yml keeps data in named volumes, one journal for each ingest node", () => {
    const mounts = services.flatMap(([name, { volumes = [] }]) =>
      volumes.map((volume) => ({ name, source: volume.split(":")[0] ?? "" })),
    );
    const named = mounts.filter(({ source }) => !source.startsWith("./"));
    expect(named.map(({ source }) => source).sort()).toEqual(Object.keys(compose.volumes).sort());
    for (const { source } of mounts.filter((mount) => mount.source.startsWith("./"))) {
      expect([source, existsSync(new URL(source, root))]).toEqual([source, true]);
    }
  });

  it("docker-compose.yml waits for what a process needs", () => {
    for (const [name, { depends_on: needed = {} }] of roles) {
      expect([name, Object.keys(needed).sort()]).toEqual([
        name,
        ["influxdb", "objects", "postgres"],
      ]);
      for (const { condition } of Object.values(needed)) expect(condition).toBe("service_healthy");
    }
  });

  it("docker-compose.yml starts nothing that has secrets of its own before they are checked for placeholders", () => {
    const checked = Object.keys(compose.services["check"]?.environment ?? {});
    const others = services.filter(([, { image }]) => image !== OUR_IMAGE);
    const withSecrets = others.filter(([, { environment = {} }]) =>
      Object.values(environment).some((value) => value.includes(":?")),
    );
    expect(withSecrets.map(([name]) => name).sort()).toEqual([
      "emqx",
      "grafana",
      "influxdb",
      "objects",
      "postgres",
    ]);
    for (const [name, { environment = {}, depends_on: needed = {} }] of withSecrets) {
      expect([name, needed["check"]]).toEqual([
        name,
        { condition: "service_completed_successfully" },
      ]);
      const text = Object.values(environment).join();
      const secrets = [...text.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, secret = ""]) => secret);
      expect([name, checked]).toEqual([name, expect.arrayContaining(secrets)]);
    }
  });

  const client = findClient();
  it.skipIf(client === undefined && !isRequired("docker-compose")).each(["off", "0", "9001"])(
    "is valid for the client with every port of .env.example set to %s",
    (value) => {
      const [command = "docker-compose", ...args] = client ?? [];
      const ports = settings.filter((name) => name.endsWith("_PORT"));
      expect(ports).toHaveLength(8);
      const own = Object.fromEntries(ports.map((name) => [name, value]));
      const env = { ...process.env, ...Object.fromEntries(made), ...own, COMPOSE_PROFILES: "" };
      const run = [...args, "config"];
      const merged = parse(
        execFileSync(command, run, { cwd: root, env, encoding: "utf8" }),
      ) as Compose;
      for (const name of ports) {
        expect(String(merged.services["ingest"]?.environment?.[name])).toBe(value);
      }
    },
  );

  it.skipIf(client === undefined && !isRequired("docker-compose"))(
    "merges every setting into every process of every profile, as the client sees it",
    () => {
      const [command = "docker-compose", ...args] = client ?? [];
      const env = { ...process.env, ...Object.fromEntries(made), COMPOSE_PROFILES: "" };
      for (const profile of ["", ...PROFILES]) {
        const selected = profile === "" ? [] : ["--profile", profile];
        const merged = parse(
          execFileSync(command, [...args, ...selected, "config"], {
            cwd: root,
            env,
            encoding: "utf8",
          }),
        ) as Compose;
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

  it("deploy/make-env.sh gives every empty variable a new secret of 256 bits, and keeps the rest", () => {
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

  it("deploy/make-env.sh writes a file that only its owner reads, and never over one that is there", () => {
    const { mode, again, isKept, files } = madeEnv();
    expect(mode).toBe(0o600);
    expect(again).toContain("is there already");
    expect(isKept).toBe(true);
    expect(files.sort()).toEqual(["make-env.sh", "plumbline.env", "plumbline.env.example"]);
  });

  it("deploy/make-env.sh takes the public address from its argument", () => {
    expect(madeEnv("https://site.example.com").text).toMatch(
      /^PUBLIC_URL=https:\/\/site\.example\.com$/m,
    );
  });
});

describe("deploy/check-env.sh", () => {
  const check = fileURLToPath(new URL("deploy/check-env.sh", root));
  /** What it says about these variables, and its exit status. */
  function checked(variables: Readonly<Record<string, string>>) {
    const env = { PATH: process.env["PATH"], ...variables };
    const { status, stderr } = spawnSync("sh", [check], { env, encoding: "utf8" });
    return { status, problems: stderr.split("\n").filter((line) => line !== "") };
  }

  it("passes what deploy/make-env.sh writes, also from the file", () => {
    expect(checked(Object.fromEntries(made))).toEqual({ status: 0, problems: [] });
    const file = fileURLToPath(new URL("deploy/plumbline.env.example", root));
    const { status } = spawnSync("sh", [check, file]);
    expect(status).toBe(0);
  });

  it("deploy/check-env.sh names every placeholder, and takes no part of a word for one, as the service does", () => {
    const values = ["CHANGE-ME", "changeme", "please_change_me_1", "x change me", "Change-Me!"];
    for (const value of values) {
      const problem = "EMQX_COOKIE still holds the placeholder of an example file";
      expect([value, checked({ EMQX_COOKIE: value })]).toEqual([
        value,
        { status: 1, problems: [problem] },
      ]);
      expect([value, isPlaceholder(value)]).toEqual([value, true]);
    }
    for (const value of ["https://exchange-media.example.com", "changement", "interchange-me-x"]) {
      expect([value, checked({ S3: value }).status]).toEqual([value, 0]);
      expect([value, isPlaceholder(value)]).toEqual([value, false]);
    }
  });

  it("deploy/check-env.sh refuses a listener on a port that no mapping leads to", () => {
    const ports = settings.filter((name) => name.endsWith("_PORT"));
    expect(ports).toHaveLength(8);
    for (const name of ports) {
      expect(checked({ [name]: "off" }).status).toBe(0);
      for (const value of ["0", "9001"]) {
        const { status, problems } = checked({ [name]: value });
        expect([name, status, problems]).toEqual([
          name,
          1,
          [expect.stringMatching(`^${name} is ${value}: `)],
        ]);
      }
    }
  });
});

describe("Dockerfile", () => {
  const dockerfile = read("Dockerfile");

  it("the image runs as a user without rights, without a shell, with a health check", () => {
    const stage = dockerfile.slice(dockerfile.lastIndexOf("FROM"));
    expect(stage).toMatch(/^USER node$/m);
    expect(stage.indexOf("USER node")).toBeGreaterThan(stage.lastIndexOf("COPY"));
    expect(stage).toMatch(/^CMD \["node",/m);
    expect(stage).toMatch(/^HEALTHCHECK [^\n]*\\\n\s+CMD \["node", "\/app\/healthcheck\.mjs"\]/m);
    expect(stage).not.toMatch(/^(ADD|ARG) /m);
    expect(dockerfile).not.toMatch(/apt-get|curl|sudo|latest|--allow-root/);
  });

  it("the build of the image is given every folder that it needs", () => {
    const given = [...read(".dockerignore").matchAll(/^!(\S+)$/gm)].map(([, path = ""]) => path);
    const { include } = JSON.parse(read("tsconfig.build.json")) as { include: string[] };
    const missing = include.filter(
      (path) => !given.includes(path) && !(path.endsWith(".ts") && given.includes("*.ts")),
    );
    expect(missing).toEqual([]);
    // `scripts` as a whole: a script of the build may import any other.
    for (const path of [
      "package.json",
      "package-lock.json",
      ".npmrc",
      "tsconfig.build.json",
      "scripts",
    ]) {
      expect(given).toContain(path);
    }
    expect(given.filter((path) => /test|bench|data|\.env|\.git$/.test(path))).toEqual([]);
  });
});

it("deploy/ holds no file that nothing refers to", () => {
  const files = readdirSync(new URL("deploy/", root), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.\w+$|\/Caddyfile$/.test(path) && !path.endsWith("plumbline.env"))
    .filter((path) => !/^(grids|tls)\//.test(path) || path.endsWith("/.gitignore"))
    .sort();
  expect(files).toEqual([
    "alertmanager/.gitignore",
    "alertmanager/alertmanager.yml",
    "balancer/haproxy.cfg",
    "check-env.sh",
    "emqx/base.hocon",
    "grafana/dashboards/fleet.json",
    "grafana/dashboards/plumbline.json",
    "grafana/provisioning/dashboards/plumbline.yml",
    "grafana/provisioning/datasources/influxdb.yml",
    "grafana/provisioning/datasources/prometheus.yml",
    "grids/.gitignore",
    "healthcheck.mjs",
    "kubernetes/api.yaml",
    "kubernetes/ingest.yaml",
    "kubernetes/kustomization.yaml",
    "kubernetes/processing.yaml",
    "kubernetes/secrets.env.example",
    "kubernetes/settings.env",
    "make-env.sh",
    "plumbline.env.example",
    "prometheus/alerts.yml",
    "prometheus/prometheus.yml",
    "proxy/Caddyfile",
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
