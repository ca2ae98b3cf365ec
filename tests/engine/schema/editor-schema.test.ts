import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { editorSchema, namesSchema } from '../../../scripts/editor-schema.ts';
import { readDefinitionFiles } from '../../../scripts/definition-files.ts';
import { shippedDefinitions } from '../../resources/shipped-definitions.ts';

const { catalog } = shippedDefinitions();
if (catalog === null) throw new Error('the shipped definitions do not load');
const names = namesSchema(catalog);

describe('the schema for editors', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'names.schema.json', ...names });
  const validate = ajv.compile(editorSchema());
  const files = readDefinitionFiles('resources').map(({ path, text }) => ({
    path,
    value: JSON.parse(text) as object,
  }));
  const resources = files.filter(
    ({ value }) => 'resource' in value && !('print' in value && 'blocks' in value),
  );

  it('accepts every shipped resource', () => {
    expect(resources.filter(({ value }) => !validate(value)).map(({ path }) => path)).toEqual([]);
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
