import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "typebox";
import { Check } from "typebox/value";
import type { Hole } from "../ports/journal.ts";

/** The store that a damaged file belongs to. */
export type DamagedStore = "journal" | "records" | "telemetry";

/** A damaged file, until `plumbline check --repair` has handled it. */
export interface Damage {
  readonly store: DamagedStore;
  /** Path below DATA_DIR. */
  readonly file: string;
  readonly problem: string;
  /** When it was found, ms since the Unix epoch. */
  readonly sinceMs: number;
  /** Whether requests fail because of it. Otherwise it is only reported. */
  readonly refusesAnswers: boolean;
  /** Records of the journal that a reader lacks; both ends inclusive. Their segment may be gone. */
  readonly lost?: readonly Hole[];
}

/** Every damage that was found and not repaired. */
export interface DamageLog {
  list(): readonly Damage[];
  /**
   * Notes a finding once per file, and again where it lost other records. Never throws: the disk may be the one
   * that fails.
   */
  note(found: Omit<Damage, "sinceMs">): void;
  /** Forgets what was dealt with. */
  forget(file: string): void;
}

const Stored = Type.Array(
  Type.Object({
    store: Type.Enum(["journal", "records", "telemetry"]),
    file: Type.String(),
    problem: Type.String(),
    sinceMs: Type.Number(),
    refusesAnswers: Type.Boolean(),
    lost: Type.Optional(
      Type.Array(Type.Object({ fromSequence: Type.Number(), toSequence: Type.Number() })),
    ),
  }),
);

/**
 * Opens the log in `DATA_DIR/damage.json`. It survives a restart, because a file that was set aside looks
 * sound afterwards. A log that cannot be read is empty: every store searches for damage again.
 */
export function openDamageLog(dataDir: string, now: () => number = Date.now): DamageLog {
  const path = join(dataDir, "damage.json");
  const byFile = new Map(read(path).map((damage) => [damage.file, damage]));

  function write(): void {
    try {
      mkdirSync(dataDir, { recursive: true });
      const text = JSON.stringify([...byFile.values()], undefined, 1);
      writeFileSync(`${path}.new`, `${text}\n`, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch {
      // This process reports it all the same.
    }
  }

  return {
    list: () => [...byFile.values()],
    note(found) {
      const before = byFile.get(found.file);
      const { lost = [] } = before ?? {};
      const added = (found.lost ?? []).filter((hole) => !lost.some((one) => isSame(one, hole)));
      if (before !== undefined && added.length === 0) return;
      const all = added.length > 0 ? { lost: [...lost, ...added] } : {};
      const problem = before === undefined ? found.problem : `${before.problem}; ${found.problem}`;
      byFile.set(found.file, { ...found, problem, sinceMs: before?.sinceMs ?? now(), ...all });
      write();
    },
    forget(file) {
      if (byFile.delete(file)) write();
    },
  };
}

const isSame = (one: Hole, other: Hole): boolean =>
  one.fromSequence === other.fromSequence && one.toSequence === other.toSequence;

function read(path: string): readonly Damage[] {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Check(Stored, content) ? content : [];
  } catch {
    return [];
  }
}
