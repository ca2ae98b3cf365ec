/**
 * The queries behind resources of kind `view`, by the name in their `source`. Each gives the columns of the resource's
 * fields, `id` and (company scope) `co_code` among them. They are part of the program: nothing of a caller is in them.
 */
export const VIEW_SOURCES: Readonly<Record<string, string>> = {};
