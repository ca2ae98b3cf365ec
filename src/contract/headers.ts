/** Tells by which definitions an answer was made: the same text from every process that serves the same files. */
export const DEFINITIONS_HEADER = 'x-definitions';
