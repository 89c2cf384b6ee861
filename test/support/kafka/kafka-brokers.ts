import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PATIENT_MS } from "../patience.ts";
import { accepts, freePorts } from "../tcp-ports.ts";
import { until } from "../until.ts";

const JAVA = process.env["KAFKA_JAVA"] ?? "/usr/bin/java";
/** Where `mvn -f test/support/kafka/pom.xml dependency:copy-dependencies` has put the brokers' jars. */
const JARS = process.env["KAFKA_JARS"] ?? join(tmpdir(), "plumbline-kafka-jars");
const requiredBackends = (process.env["REQUIRE_BACKENDS"] ?? "").split(",");

/** The real brokers that tests run on. */
export const KAFKA = {
  absent: whyAbsent(),
  required: requiredBackends.includes("kafka"),
};

function whyAbsent(): string | undefined {
  if (!existsSync(JAVA)) return `no ${JAVA}`;
  const hasJars = existsSync(JARS) && readdirSync(JARS).some((name) => name.startsWith("kafka_"));
  return hasJars ? undefined : `no Kafka in ${JARS} (KAFKA_JARS)`;
}

/** Who may log in at a listener of its own, with TLS: PEM texts of certificate and key, and SASL PLAIN or SCRAM. */
export interface SecureListener {
  readonly certificate: string;
  /** PKCS #8. */
  readonly key: string;
  readonly username: string;
  readonly password: string;
  /** Authority of clients' certificates: of a third listener, which asks for one and has no log-in. */
  readonly clientAuthority?: string;
}

/** Brokers as processes of their own (KRaft, each a controller too), on folders and ports of their own. */
export interface KafkaBrokers {
  /** `host:port` of each. */
  readonly addresses: readonly string[];
  /** The same of the listeners with TLS and log-in; none where they were not asked for. */
  readonly secureAddresses: readonly string[];
  /** The same of the listeners that ask for a client's certificate. */
  readonly mutualAddresses: readonly string[];
  /** Processes of those that run. */
  readonly pids: readonly number[];
  /** Starts a broker again on its folder and ports. */
  start(index: number): Promise<void>;
  kill(index: number): Promise<void>;
  /** SIGSTOP and SIGCONT: it holds its connections and answers nothing. */
  freeze(index: number): void;
  thaw(index: number): void;
  /** Kills all and removes their folders. */
  close(): Promise<void>;
}

/** Starts so many brokers; with three, any one of them may be away. */
export async function startKafka(
  options: { readonly count?: 1 | 3; readonly secure?: SecureListener } = {},
): Promise<KafkaBrokers> {
  const { count = 1, secure } = options;
  const dir = await mkdtemp(join(tmpdir(), "plumbline-kafka-"));
  const ports = await freePorts(4 * count);
  const nodes = Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    dir: join(dir, String(i + 1)),
    port: ports[4 * i] as number,
    controllerPort: ports[4 * i + 1] as number,
    securePort: ports[4 * i + 2] as number,
    mutualPort: ports[4 * i + 3] as number,
  }));
  const voters = nodes.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`);
  const clusterId = uuid();
  for (const node of nodes) {
    await mkdir(node.dir);
    await writeFile(join(node.dir, "server.properties"), configuration(node, voters, secure));
    if (secure !== undefined) await formatWithUser(node, clusterId, secure);
    else {
      await writeFile(
        join(node.dir, "meta.properties"),
        `version=1\ncluster.id=${clusterId}\nnode.id=${node.id}\ndirectory.id=${uuid()}\n`,
      );
    }
  }
  const children: (ChildProcess | undefined)[] = nodes.map(() => undefined);

  function launch(index: number): void {
    const node = nodes[index];
    if (node === undefined) throw new Error(`no broker ${index}`);
    children[index] = spawn(
      JAVA,
      [
        ...["-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
        ...["-cp", join(JARS, "*"), "kafka.Kafka", join(node.dir, "server.properties")],
      ],
      { stdio: "ignore" },
    );
  }
  async function untilListening(index: number): Promise<void> {
    await until(
      `broker ${index} listens`,
      () => {
        const child = children[index];
        if (child?.exitCode !== null) throw new Error(`it ended with ${child?.exitCode}`);
        return accepts(nodes[index]?.port ?? 0);
      },
      PATIENT_MS,
    );
  }
  async function kill(index: number): Promise<void> {
    const dying = children[index];
    if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return;
    const gone = new Promise((resolve) => dying.once("exit", resolve));
    dying.kill("SIGKILL");
    await gone;
  }

  async function close(): Promise<void> {
    await Promise.all(nodes.map((_, index) => kill(index)));
    await rm(dir, { recursive: true, force: true });
  }

  try {
    // A majority of the controllers has to be there before any broker listens.
    for (const index of nodes.keys()) launch(index);
    for (const index of nodes.keys()) await untilListening(index);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    addresses: nodes.map(({ port }) => `127.0.0.1:${port}`),
    secureAddresses:
      secure === undefined ? [] : nodes.map((node) => `127.0.0.1:${node.securePort}`),
    mutualAddresses:
      secure?.clientAuthority === undefined
        ? []
        : nodes.map((node) => `127.0.0.1:${node.mutualPort}`),
    get pids() {
      return children.flatMap((child) => (child?.exitCode === null ? [child.pid ?? 0] : []));
    },
    async start(index) {
      launch(index);
      await untilListening(index);
    },
    kill,
    freeze: (index) => void children[index]?.kill("SIGSTOP"),
    thaw: (index) => void children[index]?.kill("SIGCONT"),
    close,
  };
}

interface Node {
  readonly id: number;
  readonly dir: string;
  readonly port: number;
  readonly controllerPort: number;
  readonly securePort: number;
  readonly mutualPort: number;
}

/** What `kafka-storage.sh format` does: the users of SCRAM are in the first records of the controllers. */
async function formatWithUser(
  { dir }: Node,
  clusterId: string,
  { username, password }: SecureListener,
): Promise<void> {
  const users = ["SCRAM-SHA-256", "SCRAM-SHA-512"].flatMap((mechanism) => [
    "--add-scram",
    `${mechanism}=[name=${username},password=${password}]`,
  ]);
  await promisify(execFile)(JAVA, [
    ...["-XX:TieredStopAtLevel=1", "-cp", join(JARS, "*"), "kafka.tools.StorageTool", "format"],
    ...["--config", join(dir, "server.properties"), "--cluster-id", clusterId, ...users],
  ]);
}

/** Small, and quick to notice that a broker is gone. */
function configuration(
  node: Node,
  voters: readonly string[],
  secure: SecureListener | undefined,
): string {
  const { id, dir, port, controllerPort, securePort, mutualPort } = node;
  const replicas = voters.length;
  const listeners = [`PLAINTEXT://127.0.0.1:${port}`];
  if (secure !== undefined) listeners.push(`SECURE://127.0.0.1:${securePort}`);
  if (secure?.clientAuthority !== undefined) {
    listeners.push(`MUTUAL://127.0.0.1:${mutualPort}`);
  }
  return `
process.roles=broker,controller
node.id=${id}
controller.quorum.voters=${voters.join(",")}
listeners=${[...listeners, `CONTROLLER://127.0.0.1:${controllerPort}`].join(",")}
advertised.listeners=${listeners.join(",")}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL,MUTUAL:SSL
log.dirs=${dir}
auto.create.topics.enable=false
offsets.topic.num.partitions=1
offsets.topic.replication.factor=${replicas}
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=${replicas}
transaction.state.log.min.isr=1
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=${replicas}
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
replica.lag.time.max.ms=5000
log.cleaner.dedupe.buffer.size=2097152
num.network.threads=2
num.io.threads=2
${secure === undefined ? "" : secureListener(secure)}
`;
}

function secureListener(secure: SecureListener): string {
  const { certificate, key, username, password, clientAuthority } = secure;
  const pem = (text: string) => text.trim().replaceAll("\r", "").replaceAll("\n", "\\n");
  const ours = (listener: string) => `
listener.name.${listener}.ssl.keystore.type=PEM
listener.name.${listener}.ssl.keystore.certificate.chain=${pem(certificate)}
listener.name.${listener}.ssl.keystore.key=${pem(key)}
`;
  const plain = "org.apache.kafka.common.security.plain.PlainLoginModule";
  const scram = "org.apache.kafka.common.security.scram.ScramLoginModule";
  const login = `${ours("secure")}
listener.name.secure.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.secure.plain.sasl.jaas.config=${plain} required user_${username}="${password}";
listener.name.secure.scram-sha-256.sasl.jaas.config=${scram} required;
listener.name.secure.scram-sha-512.sasl.jaas.config=${scram} required;
`;
  if (clientAuthority === undefined) return login;
  return `${login}${ours("mutual")}
listener.name.mutual.ssl.client.auth=required
listener.name.mutual.ssl.truststore.type=PEM
listener.name.mutual.ssl.truststore.certificates=${pem(clientAuthority)}
`;
}

/** As Kafka writes one: base64 for URLs, of 16 bytes. */
const uuid = (): string => randomBytes(16).toString("base64url").replace(/^-/, "A");
