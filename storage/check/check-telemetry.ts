import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { JournalPosition } from "../ports/journal.ts";
import { PERIOD_MS } from "../telemetry/embedded/blocks/period.ts";
import {
  type CatalogContent,
  catalogPath,
  decodeCatalog,
  hasCrcs,
  type NumberedKind,
  type NumberedName,
} from "../telemetry/embedded/lmdb/catalog.ts";
import { listSetAside } from "../telemetry/embedded/lmdb/damaged-periods.ts";
import { walkLmdbFile } from "../telemetry/embedded/lmdb/lmdb-pages.ts";
import { nameLogProblem, readNameLog } from "../telemetry/embedded/lmdb/name-log.ts";
import { listPeriods, periodPath } from "../telemetry/embedded/lmdb/period-file.ts";
import { type Finding, type OnStep, spanText } from "./finding.ts";
import { type ReadablePeriod, readPeriod } from "./read-period.ts";

/** A file with rows of one period that are missing from the store. */
export interface DamagedPeriod {
  readonly startMs: number;
  /** `undefined`: the file is gone. */
  readonly path: string | undefined;
}

/** What the telemetry of a data folder holds. */
export interface TelemetryState {
  readonly findings: readonly Finding[];
  readonly damagedPeriods: readonly DamagedPeriod[];
  readonly isCatalogDamaged: boolean;
  /** Whether there is nothing at all, or a store that was made and never written to. */
  readonly isGone: boolean;
  /** How far it has come in the journal; `undefined`: not known. */
  readonly position: JournalPosition | undefined;
  /** Names by number, from wherever they can be read. */
  readonly names: readonly NumberedName[];
  readonly periods: readonly number[];
  /** Project of each asset, by name. */
  readonly projectByAsset: ReadonlyMap<string, string>;
}

const EMPTY: CatalogContent = { names: [], position: undefined, periods: undefined };

/** Reads every block of the telemetry, without LMDB, and changes nothing. */
export async function checkTelemetry(dataDir: string, onStep: OnStep): Promise<TelemetryState> {
  const dir = join(dataDir, "telemetry", "embedded");
  const findings: Finding[] = [];
  if (!existsSync(dir)) return { ...NOTHING, findings };
  const catalog = await readCatalogFile(dir);
  const log = readNameLog(dir);
  const names = merge(catalog.content.names, log.names);
  const numbers = (kind: NumberedKind) =>
    new Map(names.filter((one) => one.kind === kind).map((one) => [one.number, one.name]));
  const assets = numbers("asset");
  const projects = numbers("project");
  if (catalog.problem !== undefined) {
    findings.push({
      store: "telemetry",
      file: "telemetry/embedded/catalog.mdb",
      problem: catalog.problem,
      holds: `the names of ${assets.size} assets, and how far the store has come`,
      sources: names.length === 0 ? ["a backup"] : ["names.log", "the journal"],
    });
  }
  const logProblem = nameLogProblem(log, catalog.content.names);
  if (logProblem !== undefined) {
    findings.push({
      store: "telemetry",
      file: "telemetry/embedded/names.log",
      problem: logProblem,
      holds: "a second copy of the names in the catalog",
      sources: ["the catalog"],
    });
  }
  const damagedPeriods: DamagedPeriod[] = [];
  const projectByAsset = new Map<string, string>();
  const present = await listPeriods(dir);
  const aside = await listSetAside(dir);
  const files: DamagedPeriod[] = [
    ...present.map((startMs) => ({ startMs, path: periodPath(dir, startMs) })),
    ...aside,
  ];
  for (const { startMs, path = "" } of files) {
    onStep(`telemetry: ${basename(path)}`);
    const isAside = path.includes(".damaged-");
    const { problems, ...held } = await readIfNotNew(path, catalog.content, startMs);
    for (const [asset, project] of held.projectByAsset) {
      const name = assets.get(asset);
      if (name !== undefined) projectByAsset.set(name, projects.get(project) ?? "");
    }
    const lacksNames = [...held.projectByAsset.keys()].some((asset) => !assets.has(asset));
    const problem = lacksNames ? [...problems, "it has assets that no name is known of"] : problems;
    if (problem.length === 0 && !isAside) continue;
    damagedPeriods.push({ startMs, path });
    findings.push({
      store: "telemetry",
      file: `telemetry/embedded/${basename(path)}`,
      problem: problem.slice(0, 3).join("; ") || "it was set aside by an earlier start",
      holds: holdsText(held, startMs),
      sources: sourcesOf(held),
    });
  }
  const known = new Set([...present, ...aside.map(({ startMs }) => startMs)]);
  for (const startMs of catalog.content.periods ?? []) {
    if (known.has(startMs)) continue;
    damagedPeriods.push({ startMs, path: undefined });
    findings.push({
      store: "telemetry",
      file: `telemetry/embedded/${basename(periodPath(dir, startMs))}`,
      problem: "it is missing",
      holds: `readings of ${spanText(startMs, startMs + PERIOD_MS)}`,
      sources: ["the journal", "InfluxDB", "a backup"],
    });
  }
  return {
    findings,
    damagedPeriods,
    isCatalogDamaged: catalog.problem !== undefined,
    isGone:
      known.size === 0 && catalog.problem === undefined && catalog.content.position === undefined,
    position: catalog.content.position,
    names,
    periods: [...known].sort((a, b) => a - b),
    projectByAsset,
  };
}

const NOTHING: Omit<TelemetryState, "findings"> = {
  damagedPeriods: [],
  isCatalogDamaged: false,
  isGone: true,
  position: undefined,
  names: [],
  periods: [],
  projectByAsset: new Map(),
};

/** The entries of a catalog that can be read. @throws DomainError `SCHEMA_TOO_NEW`. */
export async function readCatalogFile(dir: string): Promise<{
  readonly content: CatalogContent;
  readonly problem: string | undefined;
}> {
  const path = catalogPath(dir);
  if (!existsSync(path)) {
    const hasFiles = (await readdir(dir)).some((name) => name.startsWith("period-"));
    return { content: EMPTY, problem: hasFiles ? "it is missing" : undefined };
  }
  if ((await stat(path)).size === 0) return { content: EMPTY, problem: "it is empty" };
  const entries: { readonly key: Uint8Array; readonly value: Uint8Array }[] = [];
  let problem: string | undefined;
  walkLmdbFile(path, {
    entry: (key, read) => entries.push({ key, value: read() }),
    problem(text) {
      problem ??= text;
    },
  });
  const hasCrc = hasCrcs(entries);
  let content = EMPTY;
  for (const entry of entries) {
    try {
      const one = decodeCatalog([entry], hasCrc);
      content = {
        names: [...content.names, ...one.names],
        position: one.position ?? content.position,
        periods: one.periods ?? content.periods,
      };
    } catch {
      problem ??= "an entry is damaged";
    }
  }
  return { content, problem };
}

/** A file that is empty and not listed was being made when the process ended. */
async function readIfNotNew(
  path: string,
  { periods = [] }: CatalogContent,
  startMs: number,
): Promise<ReadablePeriod> {
  const isNew = (await stat(path)).size === 0 && !periods.includes(startMs);
  const read = readPeriod(path);
  return isNew ? { ...read, problems: [] } : read;
}

/** Every name once; the log takes precedence. */
function merge(a: readonly NumberedName[], b: readonly NumberedName[]): readonly NumberedName[] {
  const byKey = new Map([...a, ...b].map((one) => [`${one.kind} ${one.number}`, one]));
  return [...byKey.values()];
}

function holdsText(held: Omit<ReadablePeriod, "problems">, startMs: number): string {
  const period = `readings of ${spanText(startMs, startMs + PERIOD_MS)}`;
  if (held.span === undefined) return `${period}; none can be read`;
  const span = spanText(startMs + held.span.fromMs, startMs + held.span.toMs);
  return `${period}; ${held.rows} rows of ${held.projectByAsset.size} assets can be read, ${span}`;
}

const sourcesOf = ({ rows }: Omit<ReadablePeriod, "problems">): readonly string[] => [
  ...(rows > 0 ? ["itself"] : []),
  "the journal",
  "InfluxDB",
  "a backup",
];
