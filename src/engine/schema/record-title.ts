import type { Resource } from './resource.ts';

/** What kind of document a record is: `出仓单` among the entries of a warehouse; the resource's title where nothing tells. */
export function recordTitle(
  { title, titles }: Pick<Resource, 'title' | 'titles'>,
  record: Readonly<Record<string, unknown>>,
): string {
  const kind = titles === undefined ? null : record[titles.by];
  return (typeof kind === 'string' ? titles?.of[kind] : undefined) ?? title;
}
