/** What keeps a copy of the record store in memory and polls for changes by itself, about once a second. */
interface Follower {
  refresh(): Promise<void>;
}

/**
 * Lets a follower see a write before it is answered. The write is stored. Where the follower cannot poll now,
 * it sees the write later, and the answer (which may hold a secret that is shown once) is not an error.
 */
export async function letFollow(follower: Follower | undefined): Promise<void> {
  await follower?.refresh().catch(() => undefined);
}
