import { type JournalFile, type JournalFiles, nodeFiles } from "../../storage/journal/files.ts";

/** The real disk with switches that let it refuse, fill up or hang. */
export interface FaultyFiles extends JournalFiles {
  /** Error of the next writes of records, `undefined`: none. Preallocation is not touched. */
  writeError: NodeJS.ErrnoException | undefined;
  /** Error of every sync. */
  syncError: NodeJS.ErrnoException | undefined;
  /** What `space` says instead of the truth. */
  freeBytes: number | undefined;
  /** While set, syncs of files wait for it. */
  gate: Promise<void> | undefined;
  /** Writes of records that have ended. */
  recordWrites: number;
  /** Syncs that were made to fail. */
  failedSyncs: number;
}

export function errorWithCode(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: injected`), { code });
}

export function faultyFiles(): FaultyFiles {
  const files: FaultyFiles = {
    writeError: undefined,
    syncError: undefined,
    freeBytes: undefined,
    gate: undefined,
    recordWrites: 0,
    failedSyncs: 0,
    async open(path, flags) {
      return faulty(await nodeFiles.open(path, flags), files);
    },
    async space(dir) {
      const space = await nodeFiles.space(dir);
      return { ...space, freeBytes: files.freeBytes ?? space.freeBytes };
    },
  };
  return files;
}

function faulty(file: JournalFile, switches: FaultyFiles): JournalFile {
  return {
    read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
    async writev(buffers, position) {
      const isZeros = buffers.every((buffer) => buffer.every((byte) => byte === 0));
      if (switches.writeError !== undefined && !isZeros) {
        // A disk that fills up takes a part first.
        const first = buffers.at(-1);
        if (first !== undefined) await file.writev([first.subarray(0, 40)], position);
        throw switches.writeError;
      }
      const written = await file.writev(buffers, position);
      if (!isZeros) switches.recordWrites++;
      return written;
    },
    async datasync() {
      await switches.gate;
      if (switches.syncError !== undefined) {
        switches.failedSyncs++;
        throw switches.syncError;
      }
      await file.datasync();
    },
    close: () => file.close(),
  };
}
