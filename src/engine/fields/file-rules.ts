/** What a file may be before anybody looks into it: the same for who chooses it and for who receives it. */

/** Accepted size of one file; one byte more is refused (spec section 9). */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Pictures that a text may hold, by the name of their type. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const;

/** What is wrong with the size of a file, in bytes; null for a good one. */
export function sizeFault(bytes: number): 'empty' | 'too_large' | null {
  if (bytes === 0) return 'empty';
  return bytes > MAX_FILE_BYTES ? 'too_large' : null;
}
