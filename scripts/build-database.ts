import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PREPARED_CLUSTER } from "../storage/records/pglite/prepared.ts";
import { makeCluster } from "./make-cluster.ts";
import {
  contentHash,
  MANIFEST,
  MIGRATIONS,
  migrationHashes,
  type PreparedManifest,
  packCluster,
  pgliteVersion,
  readFolder,
  readManifest,
} from "./prepared-cluster.ts";

/**
 * Makes the prepared database that a first start unpacks, with all migrations there are. With `--check` it
 * makes the one of the manifest again, with the migrations of its day, and compares every byte.
 */
const isCheck = process.argv.includes("--check");
const scratch = mkdtempSync(join(tmpdir(), "plumbline-cluster-"));
process.exitCode = await run().finally(() => rmSync(scratch, { recursive: true }));

async function run(): Promise<number> {
  const hashes = migrationHashes();
  const names = Object.keys(isCheck ? readManifest().migrations : hashes);
  const migrations = join(scratch, "migrations/");
  mkdirSync(migrations);
  for (const name of names) cpSync(new URL(name, MIGRATIONS), join(migrations, name));
  const dir = join(scratch, "cluster");
  await makeCluster(dir, pathToFileURL(migrations));
  const entries = readFolder(dir);
  const manifest: PreparedManifest = {
    pglite: pgliteVersion(),
    migrations: Object.fromEntries(names.map((name) => [name, hashes[name] ?? ""])),
    content: contentHash(entries),
  };
  if (isCheck) return compare(manifest, readManifest());
  const archive = await packCluster(entries);
  mkdirSync(new URL("./", MANIFEST), { recursive: true });
  writeFileSync(PREPARED_CLUSTER, archive);
  writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(
    `${entries.length} files and folders, ${names.length} migrations, ${archive.length} bytes`,
  );
  return 0;
}

function compare(made: PreparedManifest, known: PreparedManifest): number {
  const isSame = JSON.stringify(made) === JSON.stringify(known);
  console.log(
    isSame
      ? `the prepared database is what PGlite ${made.pglite} makes`
      : "the prepared database is stale: run `npm run build:database` and commit what it writes",
  );
  return isSame ? 0 : 1;
}
