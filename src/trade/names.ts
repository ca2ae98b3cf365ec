import type { Names } from './names.generated.ts';

/** Key of a shipped resource. */
export type ResourceName = keyof Names;
/** A field of the head. */
export type FieldName<R extends ResourceName> = Names[R]['field'];
/** An action of the lifecycle. */
export type ActionName<R extends ResourceName> = Names[R]['action'];
