import { randomBytes } from "node:crypto";
import { mkdir, readdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { DomainError } from "../../domain/errors.ts";
import { isRunning, ownIdentity, type ProcessIdentity } from "./process-identity.ts";

/**
 * Sign of life of the owner, ms; read only where a pid cannot be checked. Rarer signs make a takeover wait
 * longer; more frequent ones write more often.
 */
const HEARTBEAT_MS = 2_000;
/** A claim whose sign of life stays away this long, ms, is abandoned. Five heartbeats. */
const ABANDONED_MS = 10_000;
/** How often a claim is checked for a sign of life, ms. Rarer checks delay a start that waits. */
const WATCH_MS = 100;
/** Two who start at the same moment see each other and both step back; then they try again. */
const ATTEMPTS = 4;
const STEP_BACK_MS = 30;

export interface FolderLock {
  /** Releases the folder. Calling it again does nothing. */
  release(): Promise<void>;
}

/**
 * Takes a folder for this process alone; creates it when it is missing. Two locks on one folder
 * exclude each other inside one process too. A crash leaves nothing behind that has to be removed
 * by hand.
 *
 * Each opener puts a claim, an empty file with a name of its own, into `{dir}/lock` and then searches for
 * other claims. The second opener sees the first, so two can never both hold the lock. A dead owner's file
 * can be removed without harm because its name never comes back (a single lock file could be replaced between
 * the check and the removal). An owner on the same boot and in the same pid namespace is checked by pid and
 * start time. One in another container, on another machine or before a reboot is watched for a sign of life,
 * for `abandonedMs` at most.
 * @throws DomainError `STORE_LOCKED` naming the owner's pid.
 */
export async function lockFolder(dir: string, abandonedMs = ABANDONED_MS): Promise<FolderLock> {
  const claims = join(dir, "lock");
  await mkdir(claims, { recursive: true });
  const self = await ownIdentity();
  let owner: Claim | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await delay(STEP_BACK_MS * attempt * (1 + Math.random()));
    const name = claimName(self);
    const path = join(claims, name);
    await writeFile(path, "", { flag: "wx", mode: 0o600 });
    owner = await livingRival(claims, name, self, abandonedMs).catch(async (error: unknown) => {
      await unlink(path).catch(() => undefined);
      throw error;
    });
    if (owner === undefined) return hold(path);
    await unlink(path);
  }
  throw new DomainError(
    "STORE_LOCKED",
    `${dir} is in use by process ${owner?.pid}; if that is not so, remove ${join(claims, owner?.name ?? "")}`,
  );
}

interface Claim extends ProcessIdentity {
  readonly name: string;
}

function claimName({ pid, startTicks, scope }: ProcessIdentity): string {
  return [pid, startTicks, scope, randomBytes(6).toString("hex")].join("_");
}

function readClaim(name: string): Claim | undefined {
  const [pid, startTicks, scope, nonce, ...rest] = name.split("_");
  if (!pid || startTicks === undefined || scope === undefined || !nonce || rest.length > 0) {
    return undefined;
  }
  return { name, pid: Number(pid), startTicks, scope };
}

function hold(path: string): FolderLock {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    async release() {
      clearInterval(beat);
      await unlink(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") throw error;
      });
    },
  };
}

/** The first other claim whose owner lives; the claims of dead owners are removed on the way. */
async function livingRival(
  claims: string,
  ownName: string,
  self: ProcessIdentity,
  abandonedMs: number,
): Promise<Claim | undefined> {
  for (const name of await readdir(claims)) {
    const claim = name === ownName ? undefined : readClaim(name);
    if (claim === undefined) continue;
    const path = join(claims, name);
    const isVisible = claim.scope !== "" && claim.scope === self.scope;
    if (isVisible ? await isRunning(claim) : await showsLife(path, abandonedMs)) return claim;
    await unlink(path).catch(() => undefined);
  }
  return undefined;
}

/** Watches a claim until its owner touches it (true), or it goes or stays still (false). */
async function showsLife(path: string, abandonedMs: number): Promise<boolean> {
  const first = await touchedMs(path);
  if (first === undefined) return false;
  const deadline = performance.now() + abandonedMs;
  while (performance.now() < deadline) {
    await delay(WATCH_MS);
    const now = await touchedMs(path);
    if (now === undefined) return false;
    if (now !== first) return true;
  }
  return false;
}

async function touchedMs(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}
