import { expect, it } from 'vitest';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import { columnOf, columnsOf } from '#engine/report/column-of.ts';
import { context } from '../schema/example-files.ts';
import { aCatalog, aCustomer } from '../../support/definitions.ts';

const definition = aCustomer({ fields: { name: { type: 'text', title: '名称' } } });
const catalog = aCatalog(definition);
const resource = catalog.resources[definition.resource];
if (resource === undefined) throw new Error('no resource');
const scope = { resource, catalog, record: {}, context: context({}), given: { 'param.basis': 'shipped' } };

it.each([
  ['atd', 'atd'],
  ["if(status == 'shipped', atd, null)", 'atd'],
  ["if(param.basis == 'shipped', if(status == 'shipped', atd, null), declared_on)", 'atd'],
  ["param.basis == 'signed' ? atd : declared_on", 'declared_on'],
  ["if(status == 'shipped', atd, etd)", null],
  ['coalesce(atd, etd)', null],
  ['addDays(atd, 30)', null],
  ["if(status == param.basis, atd, '2026-01-01')", null],
  ["if(param.basis == 'shipped', null, atd)", null],
])('of %s is %s', (text, expected) => {
  expect(columnOf(parseExpression(text), scope)).toBe(expected);
});

it.each([
  ['coalesce(atd, etd, declared_on)', ['atd', 'etd', 'declared_on']],
  ["if(param.basis == 'shipped', atd, etd)", ['atd']],
  ['coalesce(atd, addDays(etd, 1))', null],
  ["coalesce(atd, '2026-01-01')", null],
  ['max(atd, etd)', null],
])('the columns of %s are %j', (text, expected) => {
  expect(columnsOf(parseExpression(text), scope)).toEqual(expected);
});
