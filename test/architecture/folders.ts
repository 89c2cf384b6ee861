import { posix } from "node:path";

/** Files by the files that they import; paths from the root, `/` between folders. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const folderOf = (file: string): string => posix.dirname(file);

/** The files of `files` that a text imports: types, values, and those that are loaded later. */
export function importsOf(file: string, text: string, files: ReadonlySet<string>): string[] {
  const named = text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  const paths = [...named].map(([, to = ""]) => posix.join(folderOf(file), to));
  return [...new Set(paths.filter((path) => files.has(path)))];
}

/**
 * Circles of folders, each in words: its folders, and which file imports which between them. A folder points
 * to another when a file directly in it imports one directly in that; subfolders are folders of their own.
 */
export function folderCircles(imports: Imports): readonly string[] {
  const pairs = new Map<string, Map<string, string[]>>();
  for (const [file, imported] of imports) {
    for (const other of imported) {
      const [from, to] = [folderOf(file), folderOf(other)];
      if (from === to) continue;
      const targets = pairs.get(from) ?? new Map<string, string[]>();
      pairs.set(from, targets);
      targets.set(to, [...(targets.get(to) ?? []), `${file} > ${other}`]);
    }
  }
  const reached = new Map([...pairs.keys()].map((folder) => [folder, reachedFrom(folder, pairs)]));
  const isReached = (from: string, to: string) => reached.get(from)?.has(to) ?? false;
  const circles = new Map<string, string>();
  for (const folder of pairs.keys()) {
    const circle = [...pairs.keys()]
      .filter((other) => isReached(folder, other) && isReached(other, folder))
      .toSorted();
    if (circle.length === 0) continue;
    const within = circle.flatMap((from) =>
      circle.flatMap((to) => pairs.get(from)?.get(to) ?? []).map((pair) => `  ${pair}`),
    );
    circles.set(circle.join(), [circle.join(" <-> "), ...within].join("\n"));
  }
  return [...circles.values()];
}

/** All folders that a folder leads to; itself where it lies in a circle. */
function reachedFrom(
  folder: string,
  pairs: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of pairs.get(at)?.keys() ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}

/** Folders with more than `most` files directly in them, each with its number. */
export function crowdedFolders(files: Iterable<string>, most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > most).map(([folder, n]) => `${folder}: ${n}`);
}

/**
 * Folders of the rooms' first level (`ingest/pipeline`) that a page does not name. It names one by its path
 * anywhere; or by its own name in the table after "Within `ingest/`", or in the row of the room.
 */
export function unnamedFolders(files: Iterable<string>, page: string): readonly string[] {
  const named = namedFolders(page);
  const folders = [...files].flatMap((file) => {
    const [room, folder, ...rest] = file.split("/");
    return rest.length === 0 ? [] : [`${room}/${folder}`];
  });
  return [...new Set(folders)].filter((folder) => !named.has(folder)).toSorted();
}

function namedFolders(page: string): ReadonlySet<string> {
  const named = new Set<string>();
  let within: string | undefined;
  for (const line of page.split("\n")) {
    const title = /^Within `([a-z0-9-]+)\/`/.exec(line)?.[1];
    if (title !== undefined) within = title;
    else if (line !== "" && !line.startsWith("|")) within = undefined;
    const row = /^\| `([a-z0-9-]+)\/` \|/.exec(line)?.[1];
    for (const [, name = ""] of line.matchAll(/`([a-z0-9][a-z0-9/-]*?)\/?`/g)) {
      if (name.includes("/")) named.add(name);
      else if (line.startsWith("|")) named.add(`${within ?? row}/${name}`);
    }
  }
  return named;
}
