import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arityOf } from '#engine/expression/formula-function.ts';
import { functionNamed, functionNames } from '#engine/expression/function-registry.ts';
import { ExpressionFault, expressionReads, parseExpression } from '#engine/expression/parse-expression.ts';

function faultOf(text: string): { readonly message: string; readonly offset: number } {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionFault) return { message: error.message, offset: error.offset };
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

function callOf(name: string, count: number): string {
  return `${name}(${Array.from({ length: count }, () => 'a').join(', ')})`;
}

const ARITY = functionNames().map((name): [string, readonly [number, number]] => {
  const definition = functionNamed(name);
  return [name, definition === undefined ? [0, 0] : arityOf(definition)];
});

/** Anything but a fault inside the text is an error of the parser. */
function outcomeOf(text: string): string {
  try {
    parseExpression(text);
    return 'parsed';
  } catch (error) {
    const isFault = error instanceof ExpressionFault && error.offset >= 0 && error.offset <= text.length;
    return isFault ? 'refused' : String(error);
  }
}

describe('parseExpression', () => {
  it.each([
    ['', '公式为空', 0],
    ['quantity unit_price', '公式中有多余的内容', 8],
    ['a; b', '公式中有多余的内容', 1],
    ['a + ', '语法不正确', 4],
    ['a = b', '语法不正确', 2],
    ['x + this.y', '不能使用 this', 4],
    ['items[0]', '不能使用 [ ] 取值', 5],
    ['a?.b', '不能使用 ?. 取值', 1],
    ['name.toString()', '不能调用方法', 13],
    ['1 + a.constructor', '不能使用 constructor', 6],
    ['__proto__', '不能使用 __proto__', 0],
    ["contains('%', a) % b", '不支持运算符 %', 17],
    ['1 + 1e3', '数字 1e3 应写成普通小数', 4],
    ['[1, 2]', '公式中有不支持的写法', 0],
  ])('refuses %j: %s at %i', (text, message, offset) => {
    expect(faultOf(text)).toEqual({ message, offset });
  });

  it('points at the function, not at a field that begins alike', () => {
    expect(faultOf('total_sum + total(1)')).toMatchObject({ offset: 12 });
    expect(faultOf("'round(' + round()")).toEqual({ message: '函数 round 需要 1 到 2 个参数', offset: 11 });
  });

  it.each(ARITY)('checks the number of arguments of %s', (name, [least, most]) => {
    expect(parseExpression(callOf(name, least))).toMatchObject(
      name === 'if' ? { kind: 'choice' } : { kind: 'call', name },
    );
    expect(faultOf(callOf(name, most + 1)).message).toContain(name);
  });

  it('refuses a function without what it needs', () => {
    const needy = ARITY.filter(([, [least]]) => least > 0);
    for (const [name, [least]] of needy) expect(faultOf(callOf(name, least - 1)).message).toContain(name);
  });

  it('gives a formula or a fault for any text, never another error', () => {
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom('a', 'b.c', '1', '+', '(', ')', '?', ':', '!', '.', "'", 'sum(', ',', '[', ' '), { maxLength: 30 }).map((parts) => parts.join('')),
    ); // prettier-ignore
    fc.assert(
      fc.property(text, (formula) => {
        expect(['parsed', 'refused']).toContain(outcomeOf(formula));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses formulas that are too long or too deep', () => {
    expect(faultOf('1+'.repeat(1_001)).message).toContain('2000');
    expect(faultOf(`${'('.repeat(50)}-${'!'.repeat(60)}a${')'.repeat(50)}`).message).toBe('嵌套过深');
  });
});

describe('expressionReads', () => {
  it('lists every path once, over references, lines and the head', () => {
    const formula =
      "if(buyer_id.country_id.is_sanctioned, sum(items.amount), round(quantity * parent.rate, 2)) + quantity * param('X') + days(today, sign_date)";
    expect(expressionReads(parseExpression(formula))).toEqual([
      'buyer_id.country_id.is_sanctioned',
      'items.amount',
      'quantity',
      'parent.rate',
      'today',
      'sign_date',
    ]);
  });
});
