import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * Reads an LMDB file without LMDB, which maps the file and trusts it: a damaged page ends the process with
 * SIGSEGV, a file that is too short with SIGBUS (measured with lmdb 3.5.6). Layout of data format 2
 * (`mdb.c` of lmdb 3.5.6, struct names in brackets), little-endian:
 *
 *     page   u64 number, u64 transaction, u16 -, u16 flags, u16 lower, u16 upper   [MDB_page_header]
 *     meta   u32 magic, u32 version, u64, u64 size of the map, 2 x tree, u64 last page, u64 transaction
 *     tree   u32 page size, u16 flags, u16 depth, 3 x u64 pages, u64 entries, u64 root   [MDB_db]
 *     node   u32 size of the value, u16 flags, u16 size of the key, key, value   [MDB_node]
 *            in a branch, the first 6 bytes are the number of the page below
 */
const HEADER = 24;
const MAGIC = 0xbeefc0de;
const FORMAT = 2;
const BRANCH = 1;
const LEAF = 2;
const META = 8;
const NO_PAGE = 0xffffffffffffffffn;
const NODE_HEADER = 8;
/** Flag of a node whose value lies on pages of its own; the node then says where: page, -, pages. */
const ON_OWN_PAGES = 1;
const OWN_PAGES_BYTES = 24;
const USUAL_PAGE_BYTES = 4_096;

/** Where a value lies in a file. */
export interface ValuePlace {
  readonly offset: number;
  readonly length: number;
}

/** What a walk through a file finds. */
export interface LmdbVisitor {
  /** An entry; `read` fetches its value during the call, later it is at that place of the file. */
  entry?(key: Uint8Array, read: () => Uint8Array, place: ValuePlace): void;
  /** Something that LMDB would stumble over. The walk goes on behind it. */
  problem(text: string): void;
}

/** The first problem of a file; `undefined`: its structure is sound. Values are not checked. */
export function findLmdbProblem(path: string): string | undefined {
  let first: string | undefined;
  walkLmdbFile(path, {
    problem(text) {
      first ??= text;
    },
  });
  return first;
}

/** Visits every page of both trees of a file. @throws Error of the file system. */
export function walkLmdbFile(path: string, visitor: LmdbVisitor): void {
  const handle = openSync(path, "r");
  try {
    new Walk(handle, visitor).run();
  } finally {
    closeSync(handle);
  }
}

interface Tree {
  readonly depth: number;
  readonly entries: number;
  readonly root: bigint;
}

interface Meta {
  readonly pageBytes: number;
  readonly transaction: bigint;
  readonly trees: readonly Tree[];
}

class Walk {
  private readonly handle: number;
  private readonly size: number;
  private readonly visitor: LmdbVisitor;
  /** One bit for each page that is in use. */
  private used = new Uint8Array(0);
  private pageBytes = USUAL_PAGE_BYTES;
  private lastKey: Uint8Array | undefined;
  private entries = 0;

  constructor(handle: number, visitor: LmdbVisitor) {
    this.handle = handle;
    this.visitor = visitor;
    this.size = fstatSync(handle).size;
  }

  run(): void {
    const first = this.meta(0, 0);
    this.pageBytes = first?.pageBytes ?? USUAL_PAGE_BYTES;
    const second = this.meta(1, this.pageBytes);
    if (first === undefined || second === undefined) this.visitor.problem("its header is damaged");
    const newest =
      first === undefined || (second !== undefined && second.transaction > first.transaction)
        ? second
        : first;
    this.pageBytes = newest?.pageBytes ?? this.pageBytes;
    this.used = new Uint8Array(Math.ceil(this.size / this.pageBytes / 8));
    for (const [place, tree] of (newest?.trees ?? []).entries()) this.walkTree(tree, place === 1);
  }

  private meta(page: number, at: number): Meta | undefined {
    const bytes = this.read(at, HEADER + 144);
    if (bytes === undefined) return undefined;
    const isMeta =
      bytes.readBigUInt64LE(0) === BigInt(page) &&
      bytes.readUInt16LE(18) === META &&
      bytes.readUInt32LE(HEADER) === MAGIC &&
      bytes.readUInt16LE(HEADER + 4) === FORMAT;
    const pageBytes = bytes.readUInt32LE(HEADER + 24);
    if (!isMeta || pageBytes < 512 || pageBytes > 65_536) return undefined;
    const trees = [HEADER + 24, HEADER + 72].map((tree) => ({
      depth: bytes.readUInt16LE(tree + 6),
      entries: Number(bytes.readBigUInt64LE(tree + 32)),
      root: bytes.readBigUInt64LE(tree + 40),
    }));
    return { pageBytes, transaction: bytes.readBigUInt64LE(HEADER + 128), trees };
  }

  private walkTree({ depth, entries, root }: Tree, isMain: boolean): void {
    this.lastKey = undefined;
    this.entries = 0;
    if (root !== NO_PAGE) this.walkPage(Number(root), depth, isMain);
    if (this.entries !== entries) {
      this.visitor.problem(`it holds ${this.entries} entries of ${entries}`);
    }
  }

  private walkPage(number: number, depth: number, isMain: boolean): void {
    const page = this.claim(number, 1)
      ? this.read(number * this.pageBytes, this.pageBytes)
      : undefined;
    const flags = page?.readUInt16LE(18);
    const lower = page?.readUInt16LE(20) ?? 0;
    const upper = page?.readUInt16LE(22) ?? 0;
    const isSound =
      page?.readBigUInt64LE(0) === BigInt(number) &&
      flags === (depth <= 1 ? LEAF : BRANCH) &&
      depth > 0 &&
      lower % 2 === 0 &&
      lower <= upper &&
      upper <= this.pageBytes - HEADER;
    if (page === undefined || !isSound) {
      this.visitor.problem(`page ${number} is damaged`);
      return;
    }
    for (let at = HEADER; at < HEADER + lower; at += 2) {
      const node = HEADER + page.readUInt16LE(at);
      if (node < HEADER + upper || node + NODE_HEADER > page.length) {
        this.visitor.problem(`page ${number} is damaged`);
      } else if (depth > 1) {
        this.walkPage(page.readUIntLE(node, 6), depth - 1, isMain);
      } else {
        this.walkEntry(page, node, number, isMain);
      }
    }
  }

  private walkEntry(page: Buffer, node: number, number: number, isMain: boolean): void {
    const length = page.readUInt32LE(node);
    const flags = page.readUInt16LE(node + 4);
    const keyEnd = node + NODE_HEADER + page.readUInt16LE(node + 6);
    const isApart = flags === ON_OWN_PAGES;
    const end = keyEnd + (isApart ? OWN_PAGES_BYTES : length);
    const key = page.subarray(node + NODE_HEADER, keyEnd);
    // The other tree lists free pages, by numbers in the order of this machine.
    const isInOrder =
      !isMain || this.lastKey === undefined || Buffer.compare(this.lastKey, key) < 0;
    if ((flags !== 0 && !isApart) || end > page.length || !isInOrder) {
      this.visitor.problem(`page ${number} is damaged`);
      return;
    }
    this.lastKey = key;
    this.entries += 1;
    let at = number * this.pageBytes + keyEnd;
    if (isApart) {
      const first = Number(page.readBigUInt64LE(keyEnd));
      const pages = Math.floor((HEADER - 1 + length) / this.pageBytes) + 1;
      if (!this.claim(first, pages)) {
        this.visitor.problem(`page ${number} is damaged, or the file is too short`);
        return;
      }
      at = first * this.pageBytes + HEADER;
    }
    if (!isMain) return;
    const read = () => this.read(at, length) ?? Buffer.alloc(0);
    this.visitor.entry?.(key, read, { offset: at, length });
  }

  /** Whether the pages are inside the file and nobody else's. */
  private claim(first: number, count: number): boolean {
    if (first < 2 || (first + count) * this.pageBytes > this.size) return false;
    for (let page = first; page < first + count; page++) {
      const bits = this.used[page >> 3] ?? 0;
      const bit = 1 << (page & 7);
      if ((bits & bit) !== 0) return false;
      this.used[page >> 3] = bits | bit;
    }
    return true;
  }

  private read(at: number, length: number): Buffer | undefined {
    const bytes = Buffer.alloc(length);
    return readSync(this.handle, bytes, 0, length, at) === length ? bytes : undefined;
  }
}
