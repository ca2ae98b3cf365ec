import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';

/** What the rules hide of a record as it is stored, in the server's words: `lc_no`, `items.note`, `items.<line id>.note`. */
export function hiddenOf(record: ErpRecord): ReadonlySet<string> {
  const hidden = record['_hidden'];
  return new Set(Array.isArray(hidden) ? hidden.map(String) : []);
}

/** Sections without what the rules hide of the record; one of which nothing is left goes too. */
export function shownSections(
  sections: readonly SectionDefinition[],
  { fields }: Resource,
  record: ErpRecord,
): readonly SectionDefinition[] {
  const hidden = hiddenOf(record);
  if (hidden.size === 0) return sections;
  return sections.flatMap((section): readonly SectionDefinition[] => {
    if (!('lines' in section)) {
      const shown = section.fields.filter((name) => !hidden.has(name));
      return shown.length === 0 ? [] : [{ ...section, fields: shown }];
    }
    if (hidden.has(section.lines)) return [];
    const names = section.columns ?? Object.keys(fields[section.lines]?.fields ?? {});
    const columns = names.filter((name) => !isColumnHidden(hidden, section.lines, { record, name }));
    return [columns.length === names.length ? section : { ...section, columns }];
  });
}

/** Lines whose hidden cells say nothing. */
export function shownLines({ name }: Field, record: ErpRecord): unknown {
  const hidden = hiddenOf(record);
  const lines = record[name];
  if (hidden.size === 0 || !Array.isArray(lines)) return lines;
  return lines.map((line: ErpRecord) =>
    Object.fromEntries(
      Object.entries(line).map(([cell, value]) => [
        cell,
        hidden.has(`${name}.${String(line['id'])}.${cell}`) ? null : value,
      ]),
    ),
  );
}

/** A column goes when a rule hides it as a whole, or in every line that there is. */
function isColumnHidden(
  hidden: ReadonlySet<string>,
  lines: string,
  { record, name }: { readonly record: ErpRecord; readonly name: string },
): boolean {
  if (hidden.has(`${lines}.${name}`)) return true;
  const rows: unknown = record[lines];
  if (!Array.isArray(rows) || rows.length === 0) return false;
  return rows.every((line: ErpRecord) => hidden.has(`${lines}.${String(line['id'])}.${name}`));
}
