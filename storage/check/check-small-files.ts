import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readSecretKey, secretCheckValue } from "../data-folder/secret-key.ts";
import { UUID } from "../journal/cursors.ts";
import type { Finding } from "./finding.ts";

/** What the check of the secret key uses. */
export interface SecretState {
  /** `SECRET_KEY`, where it is set. */
  readonly secretKey: string | undefined;
  /** What the records keep of the right key; `undefined`: they cannot be read, or keep nothing. */
  readonly expected: Uint8Array | undefined;
  /** Whether there are records that may have been made with a key. */
  readonly hasRecords: boolean;
}

/** Whether the key is there and the right one. */
export async function checkSecretKey(
  dataDir: string,
  { secretKey, expected, hasRecords }: SecretState,
): Promise<readonly Finding[]> {
  const problem = await secretProblem(dataDir, secretKey, expected, hasRecords);
  if (problem === undefined) return [];
  return [
    {
      store: "secret",
      file: "secret.key",
      problem,
      holds: "the key of every stored hash and sealed secret",
      sources: ["a backup"],
    },
  ];
}

async function secretProblem(
  dataDir: string,
  secretKey: string | undefined,
  expected: Uint8Array | undefined,
  hasRecords: boolean,
): Promise<string | undefined> {
  try {
    const key = await readSecretKey(dataDir, secretKey);
    if (key === undefined)
      return hasRecords ? "it is missing or empty, and SECRET_KEY is not set" : undefined;
    const isRight = expected === undefined || isEqual(secretCheckValue(key), expected);
    if (isRight) return undefined;
    const name = secretKey === undefined ? "it" : "SECRET_KEY";
    return `${name} is not the key that the records were made with`;
  } catch {
    return "it holds no key";
  }
}

export const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Who this process is among several, and since when its store has all telemetry. */
export async function checkNodeFiles(dataDir: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const id = await read(join(dataDir, "node.id"));
  if (id !== undefined && !UUID.test(id.toString("utf8").trim())) {
    findings.push({
      store: "node",
      file: "node.id",
      problem: "it holds no id",
      holds: "the name of this ingest process",
      sources: ["a new id: leases of the old one end by themselves"],
    });
  }
  const tier = await read(join(dataDir, "telemetry-tier.json"));
  if (tier !== undefined && !isJson(tier.toString("utf8"))) {
    findings.push({
      store: "node",
      file: "telemetry-tier.json",
      problem: "it cannot be read",
      holds: "since when this process's store can be relied on alone",
      sources: ["a later time, which costs questions to InfluxDB only"],
    });
  }
  return findings;
}

const STAGE_MARK = Buffer.from("PLBSTAGE1");
const DIGEST_BYTES = 32;

/** Finished stages of surveys; the service computes a damaged one again by itself. */
export async function checkStages(dataDir: string): Promise<readonly Finding[]> {
  const dir = join(dataDir, "processing", "stages");
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const findings: Finding[] = [];
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith(".stage")) continue;
    const path = join(entry.parentPath, entry.name);
    if (isWholeStage(await readFile(path))) continue;
    findings.push({
      store: "processing",
      file: path.slice(dataDir.length + 1).replaceAll("\\", "/"),
      problem: "it has not the checksum that it was written with",
      holds: "the result of a finished stage of a survey",
      sources: ["its images: the stage is worked out again"],
    });
  }
  return findings;
}

function isWholeStage(bytes: Buffer): boolean {
  const body = bytes.subarray(STAGE_MARK.length + DIGEST_BYTES);
  const digest = bytes.subarray(STAGE_MARK.length, STAGE_MARK.length + DIGEST_BYTES);
  const isMarked = STAGE_MARK.equals(bytes.subarray(0, STAGE_MARK.length));
  return isMarked && createHash("sha256").update(body).digest().equals(digest);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const read = (path: string): Promise<Buffer | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
