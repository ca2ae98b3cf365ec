import type { PrintDefinition } from '../schema/layout-definition.ts';
import type { Field, Resource } from '../schema/resource.ts';
import type { PrintBlock, PrintTemplate, TableColumn } from './print-template.ts';

const SUMMED: ReadonlySet<string> = new Set(['money', 'decimal']);
const WIDE: ReadonlySet<string> = new Set(['textarea', 'richtext']);
/** Columns beyond these make no readable table on A4; across, there is room for more. */
const MOST_UPRIGHT = 8;
const MOST = 13;

/** A print of a resource that has no template: its sections as the edit page has them, lines as tables, room to sign. */
export function plainTemplate(resource: Resource, { title, template }: PrintDefinition): PrintTemplate {
  const blocks = resource.edit.flatMap((section): readonly PrintBlock[] => {
    if ('lines' in section) return tableOf(resource, section.lines);
    const items = section.fields.flatMap((name) => {
      const field = resource.fields[name];
      if (field === undefined || field.type === 'attachment' || field.type === 'lines') return [];
      return [{ label: field.title, value: `{${name}}`, wide: WIDE.has(field.type) }];
    });
    return items.length === 0 ? [] : [{ kind: 'fields', items }];
  });
  const widest = Math.max(0, ...blocks.map((block) => (block.kind === 'table' ? block.columns.length : 0)));
  return {
    print: template,
    resource: resource.resource,
    title,
    language: 'zh',
    landscape: widest > MOST_UPRIGHT,
    blocks: [
      { kind: 'letterhead', name: '{company.name}' },
      { kind: 'title', text: title, sub: `{${resource.label}}` },
      ...blocks,
      {
        kind: 'signatures',
        parties: ['经办', '审核', '日期'].map((label) => ({ label, name: '' })),
      },
    ],
  };
}

function tableOf(resource: Resource, lines: string): readonly PrintBlock[] {
  const fields = Object.values(resource.fields[lines]?.fields ?? {})
    .filter(isPrinted)
    .slice(0, MOST);
  if (fields.length === 0) return [];
  const columns = fields.map(({ name, title, type }): TableColumn => ({
    label: title,
    value: `{${name}}`,
    width: type === 'text' || type === 'reference' ? 2 : 1.3,
    ...(SUMMED.has(type) || type === 'integer' ? { align: 'right' } : {}),
    ...(type === 'money' ? { sum: true } : {}),
  }));
  return [
    {
      kind: 'table',
      lines,
      columns: [{ label: '序号', value: '#', width: 0.6, align: 'center' }, ...columns],
      ...(columns.some(({ sum }) => sum === true) ? { total: '合计' } : {}),
    },
  ];
}

function isPrinted({ type, name }: Field): boolean {
  return type !== 'attachment' && type !== 'richtext' && !['id', 'line_order'].includes(name);
}
