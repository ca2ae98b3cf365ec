import type { Resource } from '#engine/schema/resource.ts';
import { stateTone } from './state-colors.ts';

export interface StateTagProps {
  readonly resource: Pick<Resource, 'lifecycle'>;
  readonly value: unknown;
  readonly label?: string | undefined;
}

/** A state as a tag in its fixed colour; one element, since a list shows hundreds. */
export function StateTag({ resource, value, label }: StateTagProps) {
  if (typeof value !== 'string' || value === '') return null;
  const state = resource.lifecycle?.states[value];
  return (
    <span className={`state-tag state-${stateTone(value, state?.color)}`}>
      {label ?? state?.title ?? value}
    </span>
  );
}
