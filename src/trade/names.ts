import type { Names } from './names.generated.ts';

/** Key of a shipped resource. */
export type ResourceName = keyof Names;
/** A field of the head. */
export type FieldName<R extends ResourceName> = Names[R]['field'];
/** An action of the lifecycle. */
export type ActionName<R extends ResourceName> = Names[R]['action'];
/** A state of its lifecycle. */
export type StateName<R extends ResourceName> = Names[R]['state'];
/** A field with lines. */
export type LinesName<R extends ResourceName> = keyof Names[R]['lines'] & string;
/** A column of these lines. */
export type ColumnName<R extends ResourceName, L extends LinesName<R>> = Names[R]['lines'][L] & string;
