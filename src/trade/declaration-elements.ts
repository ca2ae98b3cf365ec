/**
 * The declaration elements of an HS code or of goods that are not among the given ones: both are lists separated by
 * semicolons or, as goods keep them, by bars.
 *
 * @example missingElements('品牌;型号', '品牌') // ['型号']
 */
export function missingElements(required: string, given: string): readonly string[] {
  const known = new Set(elementsOf(given));
  return elementsOf(required).filter((element) => !known.has(element));
}

function elementsOf(text: string): readonly string[] {
  return text
    .normalize('NFKC')
    .split(/[;|]/)
    .map((element) => element.trim())
    .filter((element) => element !== '');
}
