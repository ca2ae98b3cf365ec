import { numberTokens } from '../numbering/number-pattern.ts';
import type { ResourceLint } from './lint-context.ts';
import type { JsonPath } from './source-file.ts';

/** Checks how a resource numbers its records. */
export function lintNumber(context: ResourceLint): void {
  const number = context.definition.number;
  if (number === undefined) return;
  lintNumbered(context, ['number', 'field'], number.field);
  for (const [index, name] of (number.also ?? []).entries())
    lintNumbered(context, ['number', 'also', index], name);
  if (number.on !== undefined) lintDate(context, number.on);
  if (typeof number.pattern === 'string') lintNumberPattern(context, ['number', 'pattern'], number.pattern);
  else if ('same' in number.pattern && typeof number.pattern.same === 'string')
    context.field(['number', 'pattern', 'same'], number.pattern.same, context.place());
  else if ('by' in number.pattern) {
    const { by, ...patterns } = number.pattern;
    context.field(['number', 'pattern', 'by'], by, context.place());
    for (const [value, pattern] of Object.entries(patterns))
      lintNumberPattern(context, ['number', 'pattern', value], pattern);
  } else context.report(['number', 'pattern'], '编号规则须为文本，或有 "by" 或 "same"');
}

function lintNumbered(context: ResourceLint, path: JsonPath, name: string): void {
  const field = context.field(path, name, context.place());
  if (field !== null && field.type !== 'text') context.report(path, `编号字段 "${name}" 应为文本`);
}

function lintDate(context: ResourceLint, name: string): void {
  const field = context.field(['number', 'on'], name, context.place());
  if (field !== null && field.type !== 'date') context.report(['number', 'on'], `"${name}" 不是日期`);
}

function lintNumberPattern(context: ResourceLint, path: JsonPath, pattern: string): void {
  const tokens = numberTokens(pattern);
  if (tokens === null) {
    context.report(path, '编号规则不正确，应如 {co}WX{yyyy}{seq:5}');
    return;
  }
  if (tokens.filter((token) => token.kind === 'seq').length !== 1)
    context.report(path, '编号规则须有且只有一个 {seq:位数}');
  for (const token of tokens) if (token.kind === 'field') context.field(path, token.name, context.place());
}
