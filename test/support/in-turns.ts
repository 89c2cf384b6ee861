/**
 * Does it for every item, `atOnce` of them at a time: they have nothing to do with each other. Each begins when one
 * before it has ended.
 */
export async function inTurns<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // All lanes take from one iterator.
  const left = items.values();
  const lane = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
