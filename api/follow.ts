/** What keeps a copy of the record store in memory and looks for changes by itself, about once a second. */
interface Follower {
  refresh(): Promise<void>;
}

/**
 * Lets a follower see a write before it is answered. The write is stored: where the follower cannot
 * look now, it sees it later, and the answer (which may hold a secret that is shown once) is no error.
 */
export async function letFollow(follower: Follower | undefined): Promise<void> {
  await follower?.refresh().catch(() => undefined);
}
