/** The dialect that every meta-schema is written in. */
export const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
/** Any text. */
export const TEXT = { type: 'string' } as const;
