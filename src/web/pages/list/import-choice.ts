import type { ImportPreview } from '#contract/transfer.ts';
import { keepValue, keptValue } from '#web/data/kept-values.ts';
import { storedPerson } from '#web/data/stored-person.ts';

type FileColumns = ImportPreview['columns'];

/** Fields that somebody chose for the columns of a file, by place; '' leaves a column out. */
export type ColumnChoice = Readonly<Record<number, string>>;

/** A choice as the import call takes it: `0:buyer_id,5:`. */
export function choiceText(choice: ColumnChoice): string {
  return Object.entries(choice)
    .map(([place, field]) => `${place}:${field}`)
    .join(',');
}

/** What was chosen for a file of the same titles before; null when nothing was. */
export async function rememberedColumns(
  resource: string,
  columns: FileColumns,
): Promise<ColumnChoice | null> {
  const kept = await keptValue(shapeKey(resource, columns));
  return isChoice(kept) && Object.keys(kept).length > 0 ? kept : null;
}

/** Keeps a choice for files of these titles. */
export async function rememberColumns(
  resource: string,
  columns: FileColumns,
  choice: ColumnChoice,
): Promise<void> {
  await keepValue(shapeKey(resource, columns), choice);
}

/** A file's shape is its titles in their order. */
function shapeKey(resource: string, columns: FileColumns): string {
  const titles = columns.map(({ title }) => title.trim()).join('|');
  return `import|${storedPerson()?.id ?? ''}|${resource}|${titles}`;
}

function isChoice(value: unknown): value is ColumnChoice {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((field) => typeof field === 'string')
  );
}
