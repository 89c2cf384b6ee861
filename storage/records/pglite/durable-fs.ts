import { fdatasyncSync, fstatSync, fsyncSync } from "node:fs";
import type { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** The part of an open file of Emscripten's NODEFS that we touch. */
interface NodeStream {
  /** Descriptor of the real file. */
  readonly nfd: number;
}

type EmscriptenOptions = Awaited<ReturnType<NodeFS["init"]>>["emscriptenOpts"];

interface StreamOperations {
  fsync(stream: NodeStream): number;
  write(stream: NodeStream, ...rest: readonly unknown[]): number;
}

/**
 * PGlite's folder on disk with an fsync that reaches the disk: NODEFS has none of its own, so that
 * PostgreSQL's calls succeed and do nothing (measured with strace: 0 calls for 5,726 commits).
 */
export class DurableFS extends NodeFS {
  /** Bytes written since the start; nearly all of it is write-ahead log and checkpoints. */
  writtenBytes = 0;
  readonly #onFatal: (error: Error) => void;

  /**
   * `onFatal` must end the thread at once. PGlite swallows every exception that comes out of the
   * database and goes on, also after a failed fsync, when nothing may be acknowledged any more.
   */
  constructor(dir: string, onFatal: (error: Error) => void) {
    super(dir);
    this.#onFatal = onFatal;
  }

  override async init(database: PGlite, options: EmscriptenOptions): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(database, {
      ...options,
      // PostgreSQL calls abort() on PANIC, for example when the write-ahead log cannot be written.
      onAbort: (reason: unknown) => this.#onFatal(new Error(`database aborted: ${String(reason)}`)),
    });
    emscriptenOpts.preRun?.push((module) => {
      const nodefs = module.NODEFS as unknown as { readonly stream_ops: StreamOperations };
      this.#replace(nodefs.stream_ops);
    });
    return { emscriptenOpts };
  }

  #replace(operations: StreamOperations): void {
    const write = operations.write;
    operations.write = (stream, ...rest) => {
      const written = write(stream, ...rest);
      this.writtenBytes += written;
      return written;
    };
    operations.fsync = ({ nfd }) => {
      try {
        // fdatasync flushes all that reading the data back needs, the size too, and spares the
        // file system a journal commit for the time stamp. Directories have no data.
        if (fstatSync(nfd).isDirectory()) fsyncSync(nfd);
        else fdatasyncSync(nfd);
      } catch (error) {
        this.#onFatal(error instanceof Error ? error : new Error(String(error)));
      }
      return 0;
    };
  }
}
