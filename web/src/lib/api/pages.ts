const PAGE = 100;

/** All items of a list that comes in pages. */
export async function everything<T>(fetchPage: (skip: number, limit: number) => Promise<{ items: T[]; total: number }>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const { items, total } = await fetchPage(all.length, PAGE);
    all.push(...items);
    if (!items.length || all.length >= total) return all;
  }
}
