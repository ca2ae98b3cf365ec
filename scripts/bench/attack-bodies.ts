/** Bodies that cost whoever reads them carelessly. All stay below 4 MiB, so that their size alone refuses none. */
export const ATTACK_BODIES: readonly (readonly [what: string, body: string])[] = [
  ['300,000 键', object(300_000, (index) => `"k${index.toString(36)}":1`)],
  ['键 400 kB', `{"${'k'.repeat(400_000)}":1}`],
  ['10 个键各 400 kB', object(10, (index) => `"${index}${'k'.repeat(400_000)}":1`)],
  ['60,000 行', `{"items":[${Array.from({ length: 60_000 }, () => '{"quantity":"1","unit_price":"2"}').join(',')}]}`],
  ['120,000 行各一个错误', `{"items":[${Array.from({ length: 120_000 }, () => '{"quantity":"x"}').join(',')}]}`],
  ['300,000 键在 filters', `{"filters":${object(300_000, (index) => `"k${index.toString(36)}":1`)}}`],
  ['2,000,000 项', `{"filters":{"and":[${'0,'.repeat(1_999_990)}0]}}`],
  ['深 100,000 层', `{"a":${'['.repeat(100_000)}`],
  ['31 层 × 60,000', `{"a":[${Array.from({ length: 60_000 }, () => `${'['.repeat(29)}${']'.repeat(29)}`).join(',')}]}`],
  ['长文本 4 MB', `{"personid":"${'长'.repeat(1_380_000)}"}`],
  ['半个字符', '{"personid":"\\ud800"}'],
  ['NUL', '{"personid":"\\u0000"}'],
  ['数字 4 MB', `{"a":${'9'.repeat(4_100_000)}}`],
]; // prettier-ignore

function object(count: number, member: (index: number) => string): string {
  return `{${Array.from({ length: count }, (_member, index) => member(index)).join(',')}}`;
}
