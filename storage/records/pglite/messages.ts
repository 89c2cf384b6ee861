/** What the thread of the embedded database is asked. */
export type ToDatabase =
  /** Whole messages of the PostgreSQL wire protocol; the bytes are moved, not copied. */
  | {
      readonly type: "request";
      readonly connection: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  /** The cluster's files were found to be sound: mark them, and do from now on what is done in the background. */
  | { readonly type: "trusted" }
  /** Copy the cluster as it is between two transactions to that folder, which must not exist. */
  | { readonly type: "copy"; readonly to: string }
  /** Shut down cleanly and end the thread. */
  | { readonly type: "close" };

/** What it answers. */
export type FromDatabase =
  /** The database is open. */
  | { readonly type: "ready" }
  /** Everything the database had to say to one request. */
  | {
      readonly type: "answer";
      readonly connection: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  /** The log is on disk up to that position. */
  | { readonly type: "flushed"; readonly lsn: number }
  /** The copy is made; `problem`: why it is not. */
  | { readonly type: "copied"; readonly problem?: string }
  /** The thread ends now: nothing more can be trusted to reach the disk. */
  | { readonly type: "failed"; readonly reason: string };

/** What the thread is started with. */
export interface DatabaseThreadOptions {
  /** Folder of the database cluster; must exist. */
  readonly dir: string;
  /** Whether the files were found to be sound in an earlier life of the thread. */
  readonly isTrusted: boolean;
  /** Further parameters of PostgreSQL, such as `-c`, `name=value`. */
  readonly parameters?: readonly string[];
}
