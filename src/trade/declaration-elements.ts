/**
 * The declaration elements of an HS code that have no value: both are lists separated by semicolons, the values in the
 * order of the elements.
 *
 * @example missingElements('品牌;型号', '无品牌') // ['型号']
 */
export function missingElements(required: string, given: string): readonly string[] {
  const elements = required
    .split(/[;；]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const values = given.split(/[;；]/).map((value) => value.trim());
  return elements.filter((_, index) => (values[index] ?? '') === '');
}
