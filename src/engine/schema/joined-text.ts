/**
 * A text that does not fit on a line may stand as `{ "join": ["parts", "of it"] }`: the parts follow each other with
 * nothing between.
 */
export interface JoinedText {
  readonly join: readonly string[];
}

/** The JSON Schema of such a text, for editors. */
export const JOINED_TEXT = {
  type: 'object',
  required: ['join'],
  properties: { join: { type: 'array', minItems: 2, items: { type: 'string' } } },
  additionalProperties: false,
  description: '长文字分行写：各部分直接相接',
} as const;

/** A parsed definition with every joined text as the one text it stands for. */
export function joinTexts(value: unknown): unknown {
  if (isJoinedText(value)) return value.join.join('');
  if (Array.isArray(value)) return value.map(joinTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, joinTexts(entry)]));
}

function isJoinedText(value: unknown): value is JoinedText {
  if (typeof value !== 'object' || value === null || !('join' in value)) return false;
  const { join } = value;
  return (
    Object.keys(value).length === 1 &&
    Array.isArray(join) &&
    join.length > 1 &&
    join.every((part) => typeof part === 'string')
  );
}
