import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";

const root = new URL("../../", import.meta.url);
/** The text of a file of the repository. */
export const readRepositoryFile = (path: string) => readFileSync(new URL(path, root), "utf8");

/** A service of docker-compose.yml, as far as tests look at it. */
export interface ComposeService {
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

/** docker-compose.yml with its anchors merged. */
export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, null>>;
}

export const compose: Compose = parse(readRepositoryFile("docker-compose.yml"), { merge: true });
export const composeServices = Object.entries(compose.services);
export const OUR_IMAGE = compose.services["api"]?.image ?? "";
export const ourServices = composeServices.filter(([, service]) => service.image === OUR_IMAGE);
/** Of our own processes, those that are the service. */
export const roleServices = ourServices.filter(
  ([, service]) => service.environment?.["ROLE"] !== undefined,
);

/** Variables of an env file, also those that are there to be uncommented. */
export function variablesOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^#?([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}

/** Interpolates as compose does. */
export function interpolate(text: string, variables: ReadonlyMap<string, string>): string {
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
export function madeEnv(...args: readonly string[]) {
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

/** The variables that are set in an env file. */
export function setVariablesOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}
