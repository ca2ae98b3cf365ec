import type { FromSchema } from 'json-schema-to-ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  FieldDefinition,
  ResourceDefinition,
  RollupDefinition,
  UniqueDefinition,
} from '#engine/schema/definition.ts';
import type {
  DetailsDefinition,
  ListDefinition,
  PageDefinition,
  PrintDefinition,
} from '#engine/schema/layout-definition.ts';
import type { AccessDefinition, ActionDefinition, ApprovalDefinition, LifecycleDefinition, RuleDefinition, StateDefinition } from '#engine/schema/lifecycle-definition.ts'; // prettier-ignore
import { FIELD_SCHEMA, ROLLUP_SCHEMA, UNIQUE_SCHEMA } from '#engine/schema/field-schema.ts';
import { DETAILS_SCHEMA, LIST_SCHEMA, PAGE_SCHEMA, PRINT_SCHEMA } from '#engine/schema/layout-schema.ts';
import {
  ACCESS_SCHEMA,
  ACTION_SCHEMA,
  APPROVAL_SCHEMA,
  LIFECYCLE_SCHEMA,
  RULE_SCHEMA,
  STATE_SCHEMA,
} from '#engine/schema/lifecycle-schema.ts';
import { RESOURCE_SCHEMA } from '#engine/schema/resource-schema.ts';
import { SETUP_SCHEMAS } from '#engine/schema/setup-schema.ts';
import { PRINT_FILE_SCHEMA } from '#engine/print/print-schema.ts';
import { REPORT_SCHEMA } from '#engine/report/report-schema.ts';

type KeysOf<Schema extends { readonly properties: object }> = keyof Schema['properties'];

describe('the meta-schema', () => {
  it('is valid itself, as are those of reports, prints and setup files: a start does not look again', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const schema of [RESOURCE_SCHEMA, REPORT_SCHEMA, PRINT_FILE_SCHEMA, ...Object.values(SETUP_SCHEMAS)])
      expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
  });

  it('has the keys of the types, part by part', () => {
    expectTypeOf<KeysOf<typeof RESOURCE_SCHEMA>>().toEqualTypeOf<keyof ResourceDefinition>();
    expectTypeOf<KeysOf<typeof FIELD_SCHEMA>>().toEqualTypeOf<keyof FieldDefinition>();
    expectTypeOf<KeysOf<typeof UNIQUE_SCHEMA>>().toEqualTypeOf<keyof UniqueDefinition>();
    expectTypeOf<KeysOf<typeof ROLLUP_SCHEMA>>().toEqualTypeOf<keyof RollupDefinition>();
    expectTypeOf<KeysOf<typeof RULE_SCHEMA>>().toEqualTypeOf<keyof RuleDefinition>();
    expectTypeOf<KeysOf<typeof STATE_SCHEMA>>().toEqualTypeOf<keyof StateDefinition>();
    expectTypeOf<KeysOf<typeof ACTION_SCHEMA>>().toEqualTypeOf<keyof ActionDefinition>();
    expectTypeOf<KeysOf<typeof APPROVAL_SCHEMA>>().toEqualTypeOf<keyof ApprovalDefinition>();
    expectTypeOf<KeysOf<typeof LIFECYCLE_SCHEMA>>().toEqualTypeOf<keyof LifecycleDefinition>();
    expectTypeOf<KeysOf<typeof ACCESS_SCHEMA>>().toEqualTypeOf<keyof AccessDefinition>();
    expectTypeOf<KeysOf<typeof LIST_SCHEMA>>().toEqualTypeOf<keyof ListDefinition>();
    expectTypeOf<KeysOf<typeof DETAILS_SCHEMA>>().toEqualTypeOf<keyof DetailsDefinition>();
    expectTypeOf<KeysOf<typeof PRINT_SCHEMA>>().toEqualTypeOf<keyof PrintDefinition>();
    expectTypeOf<KeysOf<typeof PAGE_SCHEMA>>().toEqualTypeOf<keyof PageDefinition>();
  });

  it('accepts what the types accept', () => {
    type Approval = FromSchema<typeof APPROVAL_SCHEMA>;
    type List = FromSchema<typeof LIST_SCHEMA>;
    expectTypeOf<Approval['approved']>().toEqualTypeOf<ApprovalDefinition['approved']>();
    expectTypeOf<NonNullable<Approval['effects']>>().toExtend<NonNullable<ApprovalDefinition['effects']>>();
    expectTypeOf<NonNullable<List['sort']>>().toExtend<NonNullable<ListDefinition['sort']>>();
    expectTypeOf<FromSchema<typeof FIELD_SCHEMA.properties.type>>().toEqualTypeOf<FieldDefinition['type']>();
    expectTypeOf<FromSchema<typeof PAGE_SCHEMA.properties.kind>>().toEqualTypeOf<PageDefinition['kind']>();
    expectTypeOf<FromSchema<typeof RESOURCE_SCHEMA.properties.kind>>().toEqualTypeOf<
      ResourceDefinition['kind']
    >();
  });
});
