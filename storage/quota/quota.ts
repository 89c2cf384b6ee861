import { Transform } from "node:stream";
import type { ProjectId } from "../../domain/ids.ts";
import { mibText, StorageShortage } from "../../domain/platform/storage-shortage.ts";
import type { ProjectStorage, StoredFiles } from "../ports/platform/stored-files.ts";

/** What a project has stored and may still store. */
export interface ProjectUsage extends ProjectStorage {
  /** Of the project, or else of the installation; `undefined`: as much as there is room for. */
  readonly limitBytes: number | undefined;
  /** Of the project alone. */
  readonly ownLimitBytes: number | undefined;
}

/** Quotas of stored bytes, per project. */
export interface ProjectQuota {
  /**
   * Whether one of these projects has a quota, the installation's or its own.
   * @param projectIds `undefined`: all projects
   */
  isSetFor(projectIds: ReadonlySet<ProjectId> | undefined): Promise<boolean>;
  usage(projectId: ProjectId): Promise<ProjectUsage>;
  /** @throws StorageShortage `QUOTA_EXCEEDED` when `bytes` more would exceed the quota. */
  require(projectId: ProjectId | undefined, bytes: number): Promise<void>;
  /**
   * Passes on what the quota has room for, and fails with `QUOTA_EXCEEDED` beyond; bytes on their way count
   * for other streams of this process until `release`. `undefined`: the project has no quota.
   * @param replacedBytes of the file whose place it takes
   */
  meter(projectId: ProjectId, replacedBytes: number): Promise<QuotaMeter | undefined>;
}

export interface QuotaMeter {
  readonly stream: Transform;
  /** To be called when the file is counted, or will not be. */
  release(): void;
}

/**
 * Quotas over what is counted in the records. Several processes may each let what they have under way
 * exceed it: they see each other's files when those are stored.
 * @param defaultBytes of projects without a limit of their own; `undefined`: none
 */
export function createProjectQuota(
  stored: Pick<StoredFiles, "usage" | "usages">,
  defaultBytes: number | undefined,
): ProjectQuota {
  const underWay = new Map<ProjectId, number>();
  const onTheWay = (projectId: ProjectId) => underWay.get(projectId) ?? 0;

  async function usage(projectId: ProjectId): Promise<ProjectUsage> {
    const found = await stored.usage(projectId);
    const { limitBytes: ownLimitBytes } = found;
    return { ...found, ownLimitBytes, limitBytes: ownLimitBytes ?? defaultBytes };
  }

  function shortage(
    { projectId, bytes, limitBytes = 0 }: ProjectUsage,
    neededBytes: number,
  ): StorageShortage {
    const usedBytes = bytes + onTheWay(projectId);
    const leftBytes = Math.max(0, limitBytes - usedBytes);
    const message = `the project has stored ${mibText(usedBytes)} of ${mibText(limitBytes)}; ${mibText(leftBytes)} are left`;
    const figures = { neededBytes, leftBytes, usedBytes, limitBytes };
    return new StorageShortage("QUOTA_EXCEEDED", message, figures);
  }

  return {
    async isSetFor(projectIds) {
      if (defaultBytes !== undefined) return true;
      const usages = await stored.usages();
      return usages.some(
        ({ projectId, limitBytes }) =>
          limitBytes !== undefined && (projectIds?.has(projectId) ?? true),
      );
    },
    usage,
    async require(projectId, bytes) {
      if (projectId === undefined) return;
      const found = await usage(projectId);
      const { limitBytes = Number.POSITIVE_INFINITY } = found;
      if (found.bytes + onTheWay(projectId) + bytes > limitBytes) throw shortage(found, bytes);
    },
    async meter(projectId, replacedBytes) {
      const found = await usage(projectId);
      const { limitBytes } = found;
      if (limitBytes === undefined) return undefined;
      let passed = 0;
      const move = (bytes: number) => {
        passed += bytes;
        const sum = onTheWay(projectId) + bytes;
        if (sum === 0) underWay.delete(projectId);
        else underWay.set(projectId, sum);
      };
      const stream = new Transform({
        transform(chunk: Uint8Array, _encoding, done) {
          const sum = found.bytes - replacedBytes + onTheWay(projectId) + chunk.length;
          if (sum > limitBytes) {
            done(shortage(found, passed + chunk.length));
            return;
          }
          move(chunk.length);
          done(null, chunk);
        },
      });
      return { stream, release: () => move(-passed) };
    },
  };
}

/** Quotas where nothing is counted, and so nothing is refused. */
export const NO_QUOTA: ProjectQuota = createProjectQuota(
  {
    usage: async (projectId) => ({ projectId, bytes: 0, files: 0, limitBytes: undefined }),
    usages: async () => [],
  },
  undefined,
);
