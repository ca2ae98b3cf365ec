import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { MenuIcon } from '#engine/schema/menu-icons.ts';
import type { Dictionary, Field, Resource } from '#engine/schema/resource.ts';

/** An entry of the side menu; a group has an empty url. */
export interface MenuEntry {
  readonly url: string;
  readonly name: string;
  readonly list: readonly MenuEntry[];
  /** Of a group. */
  readonly icon?: MenuIcon;
}

/** A resource as its role may see it. */
export type DefinitionAnswer = Resource & {
  readonly operations: readonly string[];
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  readonly shows: ShownBeside;
};

/** What there is to show beside a record of the resource. */
export interface ShownBeside {
  /** Documents before and after it. */
  readonly chain: boolean;
  /** Limits with figures. */
  readonly limits: boolean;
  /** `document`: what it posted, holds and vouched. `account`: its entries, and who holds what. */
  readonly entries: 'document' | 'account' | null;
  /** Documents that the role may begin from its records. */
  readonly makes: readonly OfferedDocument[];
  /** Every new record posts as it is saved: its form tells beforehand what that does. */
  readonly postsWhenMade: boolean;
  /** What a new record of it can be filled from, once the field that names its source is picked. */
  readonly begins: readonly OfferedBeginning[];
}

/** A reference of a form that names what the whole form can be made from. */
export interface OfferedBeginning extends Pick<OfferedDocument, 'make' | 'fixed'> {
  readonly field: string;
  /** The resource that the field names. */
  readonly from: string;
}

/** A document that is made from a record: its form opens filled. */
export interface OfferedDocument {
  readonly make: string;
  readonly title: string;
  /** The resource that is made. */
  readonly to: string;
  /** The action that makes it; null: the make stands for itself. */
  readonly action: string | null;
  /** What it begins with whatever it is made from. */
  readonly fixed: Readonly<Record<string, string>>;
  /** Several records may be made into one. */
  readonly takesSeveral: boolean;
}

/** What TypeScript knows better than a JSON Schema says: a schema with such a title stands for the type. */
type Named = [
  { pattern: { title: 'MenuEntry' }; output: MenuEntry },
  { pattern: { title: 'DefinitionAnswer' }; output: DefinitionAnswer },
  { pattern: { title: 'PageDefinition' }; output: PageDefinition },
  { pattern: { title: 'FieldDefinition' }; output: Field },
];
type KeptWhole = Named[number]['output'];

/** The TypeScript type of what fits a schema. */
export type Shape<S extends JSONSchema> = Frozen<FromSchema<S, { deserialize: Named }>>;

/** The same for whoever sends it: what has a default may be left out. */
export type Sent<S extends JSONSchema> = Frozen<
  FromSchema<S, { deserialize: Named; keepDefaultedPropertiesOptional: true }>
>;

type Frozen<T> = T extends KeptWhole
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Frozen<T[Key]> }
      : T;
