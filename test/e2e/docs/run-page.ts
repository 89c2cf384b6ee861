import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createApiClient } from "../../support/api-client.ts";
import { commandsOf, fitted, type PageCommand } from "./page-script.ts";
import { ADMIN_KEY, type PageServices } from "./page-services.ts";
import type { PageSetUp } from "./pages.ts";
import { type ShellBlock, shellBlocksOf } from "./shell-blocks.ts";

const ROOT = new URL("../../../", import.meta.url);
const PRELUDE = fileURLToPath(new URL("prelude.sh", import.meta.url));
/** Longest page, ms: a guard against a command that waits for ever. */
const STUCK_MS = 15 * 60_000;

/** What became of a command of a page. */
export interface CommandResult {
  readonly at: string;
  readonly text: string;
  readonly state: "ran" | "left out" | "failed" | "not reached";
  /** Why it was left out, or what it printed when it failed. */
  readonly detail: string;
}

/**
 * Runs a page's commands in order in one shell, in a folder of their own, against a service with nothing in it. What
 * simulators made for one page is in `simulated` for the others.
 */
export async function runPage(
  page: string,
  setUp: PageSetUp,
  services: PageServices,
  simulated: string,
): Promise<readonly CommandResult[]> {
  const blocks = shellBlocksOf(page, ROOT);
  const commands = blocks.flatMap((block) => commandsOf(block, setUp.leftOut ?? []));
  if (!commands.some(({ leftOut }) => leftOut === undefined)) return commands.map(leftOutResult);
  const folder = await workFolder(page, blocks);
  const { service, machine, giveBack } = await services.lend(setUp);
  try {
    const variables = await prepare(service.http, machine, setUp);
    const place = {
      http: service.http,
      mqttPort: service.mqttPort,
      osmandPort: service.devicePorts.osmand,
      machine,
    };
    const script = [
      `. ${PRELUDE}`,
      setUp.before ?? "",
      ...commands
        .filter(({ leftOut }) => leftOut === undefined)
        .map(({ at, text }) => `echo ${at} >&3\n${fitted(text, place)}`),
      "echo end >&3",
    ].join("\n");
    await writeFile(join(folder, "page.sh"), script);
    const ended = await runScript(folder, {
      ...variables,
      BASE: service.http,
      KEY: ADMIN_KEY,
      PLUMBLINE_URL: service.http,
      PLUMBLINE_API_KEY: ADMIN_KEY,
      MQTT: String(service.mqttPort),
      CURL: "/usr/bin/curl",
      ANSWERS: join(folder, "answers"),
      SIMULATED: simulated,
    });
    return [...resultsOf(commands, ended), await quarantineResult(page, service.http, setUp)];
  } finally {
    await giveBack();
    await rm(folder, { recursive: true, force: true });
  }
}

/** An acknowledged message may still be one that nobody could read. */
async function quarantineResult(
  page: string,
  http: string,
  { quarantined = 0 }: PageSetUp,
): Promise<CommandResult> {
  const { data } = await createApiClient(http, ADMIN_KEY).get<{
    readonly data: readonly unknown[];
  }>("/equipment/quarantine");
  return {
    at: page,
    text: `${quarantined} messages in quarantine`,
    state: data.length === quarantined ? "ran" : "failed",
    detail: data.length === quarantined ? "" : JSON.stringify(data),
  };
}

const leftOutResult = ({ at, text, leftOut }: PageCommand): CommandResult => ({
  at,
  text,
  state: "left out",
  detail: leftOut ?? "",
});

/** A folder that looks like the repository to `npm run`, with the page's JSON files. */
async function workFolder(page: string, blocks: readonly ShellBlock[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plumbline-docs-"));
  await mkdir(join(folder, "answers"));
  for (const name of await readdir(ROOT)) {
    if (name === ".git" || name === "data") continue;
    await symlink(fileURLToPath(new URL(name, ROOT)), join(folder, name));
  }
  if (blocks.length === 0) return folder;
  const source = await readFile(new URL(page, ROOT), "utf8");
  // A block of JSON under a line that names a file is that file.
  const files = source.matchAll(/`([\w-]+\.json)`[^\n]*\n\n? *```json\n([\s\S]*?)\n *```/g);
  for (const [, name = "", body = ""] of files) await writeFile(join(folder, name), body);
  return folder;
}

/** Makes the assets; yields the variables with the last one's secret. */
async function prepare(
  http: string,
  machine: string,
  setUp: PageSetUp,
): Promise<Record<string, string>> {
  if (setUp.makesProject === true) return {};
  const api = createApiClient(http, ADMIN_KEY);
  const secrets: Record<string, string> = { PROJECT: "north-yard" };
  for (const asset of setUp.assets ?? []) {
    const made = await api.post<{ readonly mqtt: { readonly password: string } }>(
      "/equipment/assets",
      {
        ...{ name: asset.id, type: "excavator", project_id: "north-yard", ...asset },
        id: asset.id === "digger-1" ? machine : asset.id,
      },
    );
    secrets["PASSWORD"] = made.mqtt.password;
    secrets[`SECRET_${asset.id.replaceAll("-", "_")}`] = made.mqtt.password;
  }
  return secrets;
}

interface EndedScript {
  readonly code: number | null;
  /** Places of the commands that were begun, in order; `end` when all were. */
  readonly begun: readonly string[];
  readonly output: string;
}

function runScript(folder: string, variables: Record<string, string>): Promise<EndedScript> {
  const child = spawn("bash", ["page.sh"], {
    cwd: folder,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    timeout: STUCK_MS,
  });
  let output = "";
  let begun = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-4000);
    });
  }
  child.stdio[3]?.on("data", (bytes: Buffer) => {
    begun += bytes.toString("utf8");
    output = "";
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, begun: begun.trim().split("\n"), output }));
  });
}

function resultsOf(commands: readonly PageCommand[], ended: EndedScript): readonly CommandResult[] {
  const last = ended.begun.at(-1);
  return commands.map((command) => {
    const { at, text, leftOut } = command;
    if (leftOut !== undefined) return leftOutResult(command);
    if (!ended.begun.includes(at)) return { at, text, state: "not reached", detail: "" };
    const isFailed = at === last && ended.code !== 0;
    return isFailed
      ? { at, text, state: "failed", detail: ended.output }
      : { at, text, state: "ran", detail: "" };
  });
}
