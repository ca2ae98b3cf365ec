import type { FormInstance } from 'antd';
import { HttpFault } from '#web/data/http.ts';

/** Puts what a refusal says of fields beside them (`names`: the answer's path to the form's name); false when it says nothing of any. */
export function placeProblems(
  form: Pick<FormInstance, 'setFields' | 'focusField'>,
  error: unknown,
  names: Readonly<Record<string, string>>,
): boolean {
  const problems = error instanceof HttpFault ? error.problems : [];
  const fields = problems.flatMap(({ path, message }) => {
    const name = names[path];
    return name === undefined ? [] : [{ name, errors: [message] }];
  });
  form.setFields(fields);
  const [first] = fields;
  if (first !== undefined) form.focusField(first.name);
  return first !== undefined;
}
