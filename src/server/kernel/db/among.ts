/**
 * `any` over a bound list whose length the planner is not told: `among('$1')` for `t.id = any($1::uuid[])`. A list that it
 * may look at makes a statement for one id seem far cheaper than the one for any number of ids that could be kept, so it
 * plans anew at each execution, which costs several times what is then done. For keys only: where the values themselves
 * decide on the plan, as in what people filter by, it should see them.
 */
export function among(placeholder: string, type: 'uuid' | 'text' = 'uuid'): string {
  // The cast around the select makes it a value: without, `any` would compare with its rows.
  return `any((select ${placeholder}::${type}[])::${type}[])`;
}
