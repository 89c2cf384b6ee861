import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseAllDocuments, parse as parseYaml } from "yaml";
import { isPlaceholder } from "../../config/placeholder.ts";
import { readSettings, SETTINGS } from "../../config/settings.ts";
import { setVariablesOf, variablesOf } from "../support/compose-file.ts";

const folder = new URL("../../deploy/kubernetes/", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), "utf8");

type Labels = Readonly<Record<string, string>>;
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}
interface Container {
  readonly image: string;
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: string[] } } };
  readonly resources: Readonly<Record<"requests" | "limits", Readonly<Record<string, string>>>>;
  readonly securityContext: object;
  readonly volumeMounts: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly readOnly?: boolean;
  }[];
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly securityContext: object;
  readonly topologySpreadConstraints?: readonly {
    readonly labelSelector: { readonly matchLabels: Labels };
  }[];
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string }[];
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Labels;
  };
}
interface Deployment extends Manifest {
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly strategy: {
      readonly rollingUpdate: { readonly maxSurge: number; readonly maxUnavailable: number };
    };
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  };
}
interface Service extends Manifest {
  readonly spec: {
    readonly type?: string;
    readonly externalTrafficPolicy?: string;
    readonly selector: Labels;
    readonly ports: readonly {
      readonly name: string;
      readonly port: number;
      readonly targetPort: string;
    }[];
  };
}
interface Budget extends Manifest {
  readonly spec: {
    readonly maxUnavailable: number;
    readonly selector: { readonly matchLabels: Labels };
  };
}

const kustomization: {
  readonly namespace?: string;
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly [{ readonly name: string; readonly envs: string[] }];
} = parseYaml(read("kustomization.yaml"));

const documents = kustomization.resources.flatMap((file) => [...parseAllDocuments(read(file))]);
const manifests = documents.map((document) => document.toJS() as Manifest);
const ofKind = <T extends Manifest>(kind: string) =>
  manifests.filter((manifest) => manifest.kind === kind) as T[];
const deployments = ofKind<Deployment>("Deployment");
const services = ofKind<Service>("Service");
const budgets = ofKind<Budget>("PodDisruptionBudget");

/** Deployments whose pods have all of these labels. */
const selected = (labels: Labels) =>
  deployments.filter(({ spec }) =>
    Object.entries(labels).every(([key, value]) => spec.template.metadata.labels[key] === value),
  );
const containerOf = ({ spec }: Deployment) => spec.template.spec.containers[0];
const componentOf = ({ metadata }: Manifest) => metadata.labels["app.kubernetes.io/component"];

const settingNames = Object.values(SETTINGS).map(({ env }) => env);
const given = setVariablesOf(read("settings.env"));
const secrets = variablesOf(read("secrets.env.example"));
/** Stands for any secret; a URL, because one of them is. */
const SECRET = "postgres://user:0123456789abcdef0123456789abcdef@database/plumbline";
/** What a process finds in its environment, once the secrets have values. */
const environmentOf = (deployment: Deployment): Record<string, string> => ({
  ...Object.fromEntries(given),
  ...Object.fromEntries([...secrets.keys()].map((name) => [name, SECRET])),
  ...Object.fromEntries(containerOf(deployment).env.map(({ name, value }) => [name, value])),
});

describe("deploy/kubernetes", () => {
  it("has a kustomization that names every manifest, and leaves the namespace to the operator", () => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
    expect([...kustomization.resources, "kustomization.yaml"].sort()).toEqual(files.sort());
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    expect(kustomization.namespace).toBeUndefined();
    const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(names.sort()).toEqual([
      "Deployment/plumbline-api",
      "Deployment/plumbline-ingest",
      "Deployment/plumbline-processing",
      "PodDisruptionBudget/plumbline-api",
      "PodDisruptionBudget/plumbline-ingest",
      "PodDisruptionBudget/plumbline-processing",
      "Service/plumbline-api",
      "Service/plumbline-devices",
      "Service/plumbline-ingest",
    ]);
    for (const { metadata } of manifests) expect(metadata.namespace).toBeUndefined();
  });

  it("selects the pods of one deployment with every selector", () => {
    for (const deployment of deployments) {
      const { selector, template } = deployment.spec;
      expect(selector.matchLabels).toEqual(template.metadata.labels);
      expect(selected(selector.matchLabels)).toEqual([deployment]);
      const spread = template.spec.topologySpreadConstraints ?? [];
      for (const { labelSelector } of spread) {
        expect(labelSelector.matchLabels).toEqual(template.metadata.labels);
      }
      // Where there are two from the start, a node that is lost takes one of them.
      expect(spread.length).toBe(deployment.spec.replicas > 1 ? 1 : 0);
    }
    const ofServices = services.map(({ metadata, spec }) => [
      metadata.name,
      selected(spec.selector).map(componentOf),
    ]);
    expect(ofServices.sort()).toEqual([
      ["plumbline-api", ["api"]],
      ["plumbline-devices", ["ingest"]],
      ["plumbline-ingest", ["ingest"]],
    ]);
  });

  it("lets nobody empty nodes of more than one process of a role at a time, and of one always", () => {
    const guarded = budgets.map(({ spec }) => selected(spec.selector.matchLabels).map(componentOf));
    expect(guarded.sort()).toEqual([["api"], ["ingest"], ["processing"]]);
    for (const { spec } of budgets) expect(spec.maxUnavailable).toBe(1);
  });

  it("names a container port with every port of a service, on the service's own ports", () => {
    const known = new Map([
      ["http", "HTTP_PORT"],
      ["mqtt", "MQTT_PORT"],
      ["mqtts", "MQTTS_PORT"],
      ["mqtt-ws", "MQTT_WS_PORT"],
    ]);
    for (const deployment of deployments) {
      for (const { name, containerPort } of containerOf(deployment).ports) {
        const env = known.get(name) ?? "";
        const setting = Object.values(SETTINGS).find((one) => one.env === env);
        expect([name, given.get(env) ?? setting?.fallback]).toEqual([name, String(containerPort)]);
      }
    }
    const led = services.flatMap(({ spec }) =>
      spec.ports.map(({ targetPort }) => {
        const [deployment] = selected(spec.selector);
        const ports = deployment === undefined ? [] : containerOf(deployment).ports;
        return [targetPort, ports.some(({ name }) => name === targetPort)];
      }),
    );
    expect(led).toHaveLength(5);
    expect(led.filter(([, isThere]) => !isThere)).toEqual([]);
  });

  it("gives devices one address, by which the service sees theirs", () => {
    const devices = services.find(({ metadata }) => metadata.name === "plumbline-devices");
    const { type, externalTrafficPolicy, ports = [] } = devices?.spec ?? {};
    expect([type, externalTrafficPolicy]).toEqual(["LoadBalancer", "Local"]);
    expect(ports.map(({ port }) => port)).toEqual([1883, 8883]);
  });

  it("passes only settings of the service, to every process the same", () => {
    const { name, envs } = kustomization.configMapGenerator[0];
    expect(envs).toEqual(["settings.env"]);
    expect(given.size).toBeGreaterThan(5);
    const passed = [...given.keys(), ...secrets.keys()];
    expect(new Set(passed).size).toBe(passed.length);
    for (const deployment of deployments) {
      const { env, envFrom } = containerOf(deployment);
      const own = env.map((variable) => variable.name);
      expect([...own, ...passed].filter((one) => !settingNames.includes(one))).toEqual([]);
      expect(envFrom).toEqual([
        { configMapRef: { name } },
        // Not optional: a pod waits for it.
        { secretRef: { name: "plumbline-secrets" } },
      ]);
      // A service called "mqtt" would set MQTT_PORT.
      expect(deployment.spec.template.spec.enableServiceLinks).toBe(false);
    }
  });

  it("gives every process what it cannot be without, and Kafka as the journal", () => {
    expect(deployments.map(componentOf).sort()).toEqual(["api", "ingest", "processing"]);
    for (const deployment of deployments) {
      const environment = environmentOf(deployment);
      const settings = readSettings(environment);
      expect(settings.role).toBe(componentOf(deployment));
      expect(settings.kafkaBrokers).not.toEqual([]);
      expect(settings.mqttUrl).toBeUndefined();
      for (const needed of ["DATABASE_URL", "INFLUX_URL", "S3_BUCKET", "SECRET_KEY"]) {
        expect(() => readSettings({ ...environment, [needed]: "" })).toThrow(needed);
      }
    }
    // What the service does not insist on, because other installations have it otherwise.
    for (const needed of [
      "ADMIN_API_KEY",
      "INFLUX_TOKEN",
      "S3_SECRET_ACCESS_KEY",
      "S3_ACCESS_KEY_ID",
    ]) {
      expect(secrets.has(needed)).toBe(true);
    }
    for (const needed of ["KAFKA_BROKERS", "S3_ENDPOINT", "INFLUX_BUCKET", "PUBLIC_URL"]) {
      expect(given.get(needed) ?? "").not.toBe("");
    }
  });

  it("holds no secret, and no placeholder of one", () => {
    expect(ofKind("Secret")).toEqual([]);
    expect([...secrets.values()].filter((value) => value !== "")).toEqual([]);
    const isSecret = /(PASSWORD|TOKEN|SECRET|_KEY$|_KEY_ID$|DATABASE_URL)/;
    expect([...given.keys()].filter((name) => isSecret.test(name))).toEqual([]);
    const texts = deployments.flatMap((one) => containerOf(one).env);
    const values = [...given.values(), ...texts.map(({ value }) => value)];
    expect(values.filter(isPlaceholder)).toEqual([]);
    expect(readFileSync(new URL("../../.gitignore", folder), "utf8")).toMatch(
      /^deploy\/kubernetes\/secrets\.env$/m,
    );
  });

  it("asks for health on paths that the API has, and keeps intake where only a server is away", () => {
    const { paths } = JSON.parse(readFileSync(new URL("../../openapi.json", folder), "utf8")) as {
      paths: object;
    };
    const probes = deployments.map((deployment) => {
      const container = containerOf(deployment);
      const { startupProbe, readinessProbe, livenessProbe } = container;
      for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
        expect(Object.keys(paths)).toContain(httpGet.path);
        expect(container.ports.map(({ name }) => name)).toContain(httpGet.port);
      }
      expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBe(600);
      return [
        componentOf(deployment),
        startupProbe.httpGet.path,
        readinessProbe.httpGet.path,
        livenessProbe.httpGet.path,
      ];
    });
    expect(probes.sort()).toEqual([
      ["api", "/health/live", "/health/ready", "/health/live"],
      ["ingest", "/health/ready", "/health/live", "/health/live"],
      ["processing", "/health/live", "/health/ready", "/health/live"],
    ]);
  });

  it("gives no process more rights than docker-compose.yml does", () => {
    expect(deployments).toHaveLength(3);
    for (const deployment of deployments) {
      const pod = deployment.spec.template.spec;
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.containers).toHaveLength(1);
      expect(containerOf(deployment).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  it("keeps nothing that has to last, and DATA_DIR where the process may write", () => {
    for (const deployment of deployments) {
      const { volumeMounts } = containerOf(deployment);
      const { volumes } = deployment.spec.template.spec;
      expect(volumeMounts.map(({ name }) => name).sort()).toEqual(
        volumes.map(({ name }) => name).sort(),
      );
      for (const volume of volumes) {
        const [kind] = Object.keys(volume).filter((key) => key !== "name");
        expect(["emptyDir", "ephemeral", "secret"]).toContain(kind);
      }
      const writable = volumeMounts.filter(({ readOnly = false }) => !readOnly);
      const dataDir = environmentOf(deployment)["DATA_DIR"] ?? "";
      // Below the volume: the service makes the folder, and nobody else may enter it.
      expect(writable.some(({ mountPath }) => dataDir.startsWith(`${mountPath}/`))).toBe(true);
    }
  });

  it("says what each process needs and may take, the limit never below", () => {
    const units: Readonly<Record<string, number>> = { m: 0.001, "": 1, Mi: 2 ** 20, Gi: 2 ** 30 };
    const amount = (text: string) => {
      const [, number = "", unit = ""] = /^(\d+)(m|Mi|Gi)?$/.exec(text) ?? [];
      return Number(number) * (units[unit] ?? Number.NaN);
    };
    for (const deployment of deployments) {
      const { requests, limits } = containerOf(deployment).resources;
      expect(Object.keys(requests).sort()).toEqual(["cpu", "ephemeral-storage", "memory"]);
      expect(Object.keys(limits)).toEqual(expect.arrayContaining(["memory", "ephemeral-storage"]));
      for (const [name, limit] of Object.entries(limits)) {
        expect(amount(limit)).toBeGreaterThanOrEqual(amount(requests[name] ?? ""));
      }
      // As many threads as it may use cores; of the others, none is slowed down.
      expect(limits["cpu"]).toBe(environmentOf(deployment)["WORKERS"]);
    }
  });

  it("replaces processes without loss: a new one first, and time to stop", () => {
    const main = readFileSync(new URL("../../program.ts", folder), "utf8");
    const partMs = Number(/PART_STOP_MS = ([\d_]+)/.exec(main)?.[1]?.replace("_", ""));
    expect(partMs).toBe(15_000);
    for (const deployment of deployments) {
      const pod = deployment.spec.template.spec;
      const command = containerOf(deployment).lifecycle?.preStop.exec.command ?? ["sleep", "0"];
      const pauseS = Number(command[1]);
      const isAsked = componentOf(deployment) !== "processing";
      expect([command[0], pauseS]).toEqual(["sleep", isAsked ? 10 : 0]);
      // Parts end one after the other, and two of them may be slow.
      const neededS = pauseS + (2 * partMs) / 1_000;
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(neededS);
      expect(deployment.spec.strategy.rollingUpdate).toEqual(
        isAsked ? { maxSurge: 1, maxUnavailable: 0 } : { maxSurge: 0, maxUnavailable: 1 },
      );
    }
  });

  it("runs the version that the package has", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", folder), "utf8"));
    const images = deployments.map((deployment) => containerOf(deployment).image);
    expect(new Set(images)).toEqual(new Set([`plumbline:${version}`]));
  });
});
