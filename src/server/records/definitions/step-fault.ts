import { faultAt, type JsonPath, type LintFault, type SourceFile } from '#engine/schema/source-file.ts';
import { waitingSentence } from '#server/kernel/migrations/judge-steps.ts';
import type { Step } from '#server/kernel/migrations/migration-step.ts';

/** A step of a migration that waits, told at its place in the definition file. */
export function stepFault(step: Step, file: SourceFile | null): LintFault {
  const message = `${waitingSentence(step)}；在此之前沿用上一版本`;
  if (file === null) return { path: 'resources', line: 1, column: 1, message };
  return faultAt(file, placeOf(step.name), message);
}

/** A place that is not there is told at what holds it. */
function placeOf(name: string): JsonPath {
  const match = /^(?:(?<lines>\w+)\.)?(?<verb>[a-z]+)_(?<rest>\w+)$/.exec(name);
  const { lines, verb, rest } = match?.groups ?? {};
  const fields = lines === undefined ? ['fields'] : ['fields', lines, 'fields'];
  switch (verb) {
    case 'require':
    case 'narrow':
    case 'retype':
      return [...fields, rest ?? ''];
    case 'rename':
      return rest === 'table' ? ['was'] : [...fields, rest ?? '', 'was'];
    case 'foreign':
      return ['resource'];
    case 'state':
      return ['lifecycle', 'states'];
    case 'unique':
      return ['unique'];
    default:
      return [];
  }
}
