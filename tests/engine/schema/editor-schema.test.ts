import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import path from 'node:path';
import { namesSchema } from '../../../scripts/editor-schema.ts';
import { readDefinitionFiles } from '../../../scripts/definition-files.ts';
import { formatJson } from '../../../scripts/format-json.ts';
import { schemaFiles } from '../../../scripts/schema-files.ts';
import { shippedDefinitions } from '../../resources/shipped-definitions.ts';

const { catalog } = shippedDefinitions();
if (catalog === null) throw new Error('the shipped definitions do not load');
const names = namesSchema(catalog);

describe('the schema for editors', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  for (const { path: file, text } of schemaFiles(catalog))
    ajv.addSchema({ ...(JSON.parse(text) as object), $id: path.basename(file) });
  const files = [...readDefinitionFiles('resources'), ...readDefinitionFiles('reports')].map((file) => ({
    path: file.path,
    value: JSON.parse(file.text) as { readonly $schema?: string },
  }));
  const validate = (value: unknown): unknown => ajv.validate('resource.schema.json', value);

  it('accepts every shipped file as the format it names', () => {
    const named = files.filter(({ value }) => value.$schema !== undefined);
    expect(named.length).toBeGreaterThan(150);
    const wrong = named.filter(({ value }) => !ajv.validate(path.basename(value.$schema ?? ''), value));
    expect(wrong.map((file) => file.path)).toEqual([]);
  });

  it('accepts a formula in parts, and nothing else in parts', () => {
    const formula = { join: ['if(a > 0, ', 'b, c)'] };
    const thing = (field: object): object => ({
      resource: 'thing',
      title: '物',
      kind: 'master',
      label: 'name',
      fields: { name: field },
    });
    expect(validate(thing({ type: 'decimal', title: '数', scale: 2, formula }))).toBe(true);
    expect(validate(thing({ type: 'reference', title: '数', to: { join: ['par', 'tner'] } }))).toBe(false);
  });

  it.each([
    [{ type: 'money', title: '金额', currency: 'CNY' }, true],
    [{ type: 'text', title: '名称', currency: 'CNY' }, false],
    [{ type: 'reference', title: '客户', to: 'partner' }, true],
    [{ type: 'boolean', title: '是否', to: 'partner' }, false],
    [{ type: 'lines', title: '明细', fields: { a: { type: 'decimal', title: '数', scale: 2 } } }, true],
    [{ type: 'lines', title: '明细', fields: { a: { type: 'date', title: '数', scale: 2 } } }, false],
  ])('offers a field the keys of its type: %j %s', (field, fits) => {
    const value = { resource: 'thing', title: '物', kind: 'master', label: 'name', fields: { name: field } };
    expect(validate(value)).toBe(fits);
  });

  it('offers the names that there are', () => {
    const { $defs } = names as { $defs: Record<string, { enum: string[] }> };
    expect($defs['role']?.enum).toContain('SP');
    expect($defs['state']?.enum).toEqual(expect.arrayContaining(['draft', '@final']));
    expect($defs['field']?.enum).toEqual(expect.arrayContaining(['buyer_id', 'items.quantity']));
    expect($defs['resource']?.enum).toEqual(expect.arrayContaining(['shipment', 'shipment.items']));
  });
});

describe('the formatter', () => {
  const long =
    "if(kind == 'a, b', round(amount * rate(currency, 'usd_cross', today), 2), coalesce(first(lines.amount, lines.kind == kind), other_amount, another_amount))";

  it('parts a long text where it reads well, and puts it together before parting it again', () => {
    const once = formatJson({ formula: long });
    expect(once.split('\n').every((line) => line.length <= 140)).toBe(true);
    expect((JSON.parse(once) as { formula: { join: string[] } }).formula.join.join('')).toBe(long);
    expect(formatJson(JSON.parse(once))).toBe(once);
  });

  it('leaves a text whole that has no place to part it', () => {
    expect(formatJson({ formula: 'x'.repeat(200) })).toBe(`{\n  "formula": "${'x'.repeat(200)}"\n}\n`);
  });
});
