import '#engine/values/linear-pattern.ts';
import { describe, expect, it } from 'vitest';
import { expandField } from '#engine/schema/expand-resource.ts';
import {
  FIELD_TYPE_BEHAVIOUR,
  fieldColumn,
  formatField,
  operatorsOf,
  parseField,
} from '#engine/fields/field-types.ts';
import { FIELD_TYPES, type FieldDefinition } from '#engine/schema/definition.ts';

function parse(definition: Omit<FieldDefinition, 'title'>, value: unknown): unknown {
  const parsed = parseField(value, expandField('x', { title: '字段', ...definition }));
  return 'problem' in parsed ? parsed.problem.message : parsed.value;
}

describe('field types', () => {
  it('are all there', () => {
    expect(Object.keys(FIELD_TYPE_BEHAVIOUR).sort()).toEqual([...FIELD_TYPES].sort());
  });

  it('keep money as text of at most two decimals', () => {
    const money = { type: 'money', currency: 'CNY' } as const;
    expect(parse(money, '1234.50')).toBe('1234.50');
    expect(parse(money, '-0.01')).toBe('-0.01');
    expect(parse(money, '1.234')).toBe('金额最多两位小数');
    expect(parse(money, '1,234.5')).toBe('金额格式不正确');
    expect(parse(money, '1e3')).toBe('金额格式不正确');
    expect(parse(money, '1234567890123456')).toBe('金额格式不正确');
    expect(parse(money, 12.5)).toBe('金额应以文本传递，如 "12.5"，不能是JSON数字');
    expect(parse(money, '12.50\n')).toBe('金额格式不正确');
  });

  it('keep decimals within precision and scale', () => {
    const quantity = { type: 'decimal', precision: 10, scale: 4 } as const;
    expect(parse(quantity, '123456.7890')).toBe('123456.7890');
    expect(parse(quantity, '1234567')).toBe('整数部分最多6位');
    expect(parse(quantity, '1.23456')).toBe('最多4位小数');
    expect(parse(quantity, 1)).toContain('不能是JSON数字');
    expect(parse({ type: 'percent', min: 0, max: 20 }, '20.0001')).toBe('不能大于20');
  });

  it('take whole JSON numbers that JSON keeps exactly', () => {
    expect(parse({ type: 'integer' }, 5)).toBe(5);
    expect(parse({ type: 'integer' }, '5')).toBe('应为整数');
    expect(parse({ type: 'integer' }, 1.5)).toBe('应为整数');
    expect(parse({ type: 'integer' }, 2 ** 53)).toBe('应为整数');
    expect(parse({ type: 'integer', max: 360 }, 361)).toBe('不能大于360');
  });

  it('take dates of the calendar only', () => {
    expect(parse({ type: 'date' }, '2028-02-29')).toBe('2028-02-29');
    expect(parse({ type: 'date' }, '2026-02-29')).toContain('日期格式不正确');
    expect(parse({ type: 'date' }, '2026-2-9')).toContain('日期格式不正确');
    expect(parse({ type: 'datetime' }, '2026-03-31T10:00:00+08:00')).toBe('2026-03-31T10:00:00+08:00');
    expect(parse({ type: 'datetime' }, '2026-03-31')).toBe('时间格式不正确');
  });

  it('refuse text that no database stores, is too long or breaks its pattern', () => {
    expect(parse({ type: 'text' }, 'a\u0000b')).toBe('包含不允许的字符');
    expect(parse({ type: 'text' }, '\ud800')).toBe('包含不允许的字符');
    expect(parse({ type: 'text', max: 2 }, '😀😀')).toBe('😀😀');
    expect(parse({ type: 'text', max: 2 }, '一二三')).toBe('不能超过2个字');
    expect(parse({ type: 'text', pattern: '^\\d+$', message: '应为数字' }, 'a')).toBe('应为数字');
    expect(parse({ type: 'text', check: 'mobile' }, '123')).not.toBe('123');
    expect(parse({ type: 'text' }, 5)).toBe('应为文本');
    expect(parse({ type: 'text' }, '')).toBeNull();
  });

  it('keep to closed lists, also of several values', () => {
    const options = { any: '或签', all: '会签' };
    expect(parse({ type: 'text', options }, 'any')).toBe('any');
    expect(parse({ type: 'text', options }, 'constructor')).toBe('不在可选范围内');
    expect(parse({ type: 'text', options, multiple: true }, ['any', 'all'])).toEqual(['any', 'all']);
    expect(parse({ type: 'text', options, multiple: true }, ['any', 'any'])).toBe('列表中有重复的值');
    expect(parse({ type: 'text', options, multiple: true }, 'any')).toBe('应为列表');
  });

  it('bound structured values and filters', () => {
    expect(parse({ type: 'json' }, { a: [1] })).toEqual({ a: [1] });
    expect(parse({ type: 'json' }, [[[[[[[[[1]]]]]]]]])).toContain('层级超过8层');
    expect(parse({ type: 'json', json: 'filter' }, { business_type: { eq: 'self' } })).toEqual({
      business_type: { eq: 'self' },
    });
    expect(parse({ type: 'json', json: 'filter' }, { business_type: 'self' })).toBe('条件格式不正确');
  });

  it('know their columns', () => {
    expect(column({ type: 'money', currency: 'CNY' })).toBe('numeric(18,2)');
    expect(column({ type: 'decimal', precision: 18, scale: 6 })).toBe('numeric(18,6)');
    expect(column({ type: 'reference', to: 'buyer', multiple: true })).toBe('uuid[]');
    expect(column({ type: 'attachment' })).toBe('uuid[]');
    expect(column({ type: 'lines', fields: {} })).toBeNull();
  });

  it('format for people', () => {
    expect(format({ type: 'money', currency: 'CNY' }, '-1234567.50')).toBe('-1,234,567.50');
    expect(format({ type: 'decimal' }, '1200.0000')).toBe('1,200');
    expect(format({ type: 'percent' }, '13.0000')).toBe('13.00%');
    expect(format({ type: 'boolean' }, false)).toBe('否');
    expect(format({ type: 'datetime' }, '2026-03-31T16:30:00.000Z')).toBe('2026-04-01 00:30');
    expect(format({ type: 'text', mask: 'mobile' }, '13800000001')).toBe('138****0001');
    expect(format({ type: 'secret' }, 'hash')).toBe('');
  });

  it('say which comparisons they allow', () => {
    expect(operatorsOf({ type: 'secret' })).toEqual([]);
    expect(operatorsOf({ type: 'reference', multiple: true })).toEqual(['has', 'hasAny', 'null']);
    expect(operatorsOf({ type: 'text' })).toContain('contains');
  });
});

function column(definition: Omit<FieldDefinition, 'title'>): string | null {
  return fieldColumn(expandField('x', { title: '字段', ...definition }));
}

function format(definition: Omit<FieldDefinition, 'title'>, value: unknown): string {
  return formatField(value, expandField('x', { title: '字段', ...definition }));
}
