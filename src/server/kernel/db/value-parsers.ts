import { type CustomTypesConfig, types } from 'pg';

const { builtins } = types;
const DATE_ARRAY = 1182;
const TIMESTAMPTZ_ARRAY = 1185;
const NUMERIC_ARRAY = 1231;
const BIGINT_ARRAY = 1016;

const asText = (text: string): string => text;

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [builtins.DATE]: asText,
  [builtins.NUMERIC]: asText,
  [builtins.INT8]: asText,
  [builtins.TIMESTAMPTZ]: isoInstant,
  [DATE_ARRAY]: textList,
  [NUMERIC_ARRAY]: textList,
  [BIGINT_ARRAY]: textList,
  [TIMESTAMPTZ_ARRAY]: (text) => textList(text).map((item) => (item === null ? null : isoInstant(item))),
};

/** How the driver reads columns: dates, instants, numerics and bigints stay text, the rest as the driver does. */
export const VALUE_PARSERS: CustomTypesConfig = {
  getTypeParser: (type, format) =>
    (format === 'binary' ? undefined : PARSERS[type]) ?? types.getTypeParser(type, format),
};

/**
 * The ISO form of an instant as PostgreSQL prints it in UTC; at least three decimals, more only where they are stored,
 * so that a value read and sent back is the same.
 * @example isoInstant('2026-01-02 03:04:05.12+00') // '2026-01-02T03:04:05.120Z'
 */
function isoInstant(text: string): string {
  const match = /^(\d{4,}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.(\d+))?\+00(?::?00)?$/.exec(text);
  if (match === null) return text;
  const [, day, time, fraction = ''] = match;
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z`;
}

/** The elements of an array of numbers, dates or instants: none of them holds a comma or a quote. */
function textList(text: string): (string | null)[] {
  if (text === '{}') return [];
  const items = text.slice(1, -1).replaceAll('"', '').split(',');
  return items.map((item) => (item === 'NULL' ? null : item));
}
