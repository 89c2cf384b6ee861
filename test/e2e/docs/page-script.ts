import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { LeftOut } from "./pages.ts";
import type { ShellBlock } from "./shell-blocks.ts";

/** A whole command of a page: one line, or several that belong together. */
export interface PageCommand {
  /** `README.md:41` */
  readonly at: string;
  readonly text: string;
  /** Why it is not run. */
  readonly leftOut: string | undefined;
}

/** Where the service of a page listens. */
export interface PageService {
  readonly http: string;
  readonly mqttPort: number;
  readonly osmandPort: number | undefined;
  /** What is called `digger-1` on the page. */
  readonly machine: string;
}

/** Programs that a page may use and a machine may not have. */
const TOOLS: readonly string[] = ["mosquitto_pub", "mosquitto_sub", "jq", "openssl", "gpspipe"];

/** Whether a shell finds the text complete: no open quote, loop or pipe. */
const isWhole = (text: string): boolean =>
  !/\\$/.test(text) && spawnSync("bash", ["-n"], { input: text }).status === 0;

/** The commands of a block, each with why it is left out, if it is. */
export function commandsOf(block: ShellBlock, leftOut: readonly LeftOut[]): readonly PageCommand[] {
  const commands: PageCommand[] = [];
  let text = "";
  let line = block.line;
  for (const [index, next] of block.text.split("\n").entries()) {
    if (text === "") line = block.line + index;
    text = text === "" ? next : `${text}\n${next}`;
    if (!isWhole(text)) continue;
    if (!/^\s*(#.*)?$/.test(text)) {
      commands.push({ at: `${block.page}:${line}`, text, leftOut: whyLeftOut(text, leftOut) });
    }
    text = "";
  }
  if (text !== "") throw new Error(`${block.page}:${line}: not a whole command: ${text}`);
  return commands;
}

function whyLeftOut(text: string, leftOut: readonly LeftOut[]): string | undefined {
  const named = leftOut.find(({ command }) => command.test(text));
  if (named !== undefined) return named.why;
  const missing = TOOLS.find(
    (tool) => new RegExp(`\\b${tool}\\b`).test(text) && !isInstalled(tool),
  );
  return missing === undefined ? undefined : `${missing} is not installed`;
}

function isInstalled(tool: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, tool), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A command with the addresses and the machine of the test's service, and with what a reader fills in from an answer above. */
export function fitted(text: string, page: PageService): string {
  const { http, mqttPort, osmandPort, machine } = page;
  return (
    text
      .replaceAll("digger-1", machine)
      .replaceAll("http://127.0.0.1:8080", http)
      .replaceAll("-p 1883", `-p ${mqttPort}`)
      // By default it goes to port 1883.
      .replace("simulate -- fleet", `simulate -- fleet --mqtt-url mqtt://127.0.0.1:${mqttPort}`)
      .replaceAll("127.0.0.1:5055", `127.0.0.1:${osmandPort ?? 5055}`)
      .replace(/\b([a-z][\w-]*)([:.])\$SECRET\b/g, (_, id: string, mark: string) => {
        return `${id}${mark}$SECRET_${id.replaceAll("-", "_")}`;
      })
      .replace(/\b(KEY|PLUMBLINE_API_KEY)=\.\.\./g, '$1="$KEY"')
      .replace(/\b(PASSWORD|SECRET)=\.\.\./g, "$1=$(from_answers password)")
      .replace(
        /\b([A-Z]+)=\.\.\./g,
        (_, name: string) => `${name}=$(from_answers id ${name.toLowerCase()})`,
      )
  );
}
