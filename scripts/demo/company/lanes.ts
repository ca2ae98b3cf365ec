/** Works on a list in its order, so many at a time; the first failure ends it. */
export async function inLanes<T, R>(
  list: readonly T[],
  lanes: number,
  work: (entry: T, place: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let place = next++; place < list.length; place = next++)
      for (const entry of list.slice(place, place + 1)) results[place] = await work(entry, place);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
