import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { filterReads } from '#engine/schema/filter-reads.ts';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { currencyOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';

export interface ActionInputsProps {
  readonly resource: string;
  readonly action: string;
  readonly fields: readonly Field[];
  readonly values: ErpRecord;
  /** The record that it runs on, of which an amount takes its currency; absent where it runs on many. */
  readonly record?: ErpRecord | undefined;
  /** What is wrong with an input, by its name. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (values: ErpRecord) => void;
}

/** The inputs of an action, each with what is wrong with it beneath. */
export function ActionInputs(props: ActionInputsProps) {
  const { resource, action, fields, values, record, faults, onChange } = props;
  return (
    <>
      {fields.map((field) => {
        const { Control } = FIELD_VIEWS[field.type];
        const id = inputId(action, field.name);
        const fault = faults[field.name];
        return (
          <div className={`action-input${fault === undefined ? '' : ' has-fault'}`} key={field.name}>
            <label htmlFor={id} className={field.required ? 'required' : undefined}>
              {field.title}
            </label>
            <Control
              id={id}
              field={field}
              value={values[field.name]}
              currency={currencyOf(field, { ...record, ...values })}
              isInvalid={fault !== undefined}
              describedBy={fault === undefined ? undefined : `${id}-fault`}
              onChange={(value) => onChange({ ...values, [field.name]: value })}
              place={{
                resource,
                path: `${action}.${field.name}`,
                readRecord: () => ({ ...values, parent: headOf(record) }),
                narrowedBy: () => stillEmpty(field, fields, values),
              }}
            />
            {fault !== undefined && (
              <span className="action-fault" id={`${id}-fault`} role="alert">
                {fault}
              </span>
            )}
            {field.hint !== undefined && <small>{field.hint}</small>}
          </div>
        );
      })}
    </>
  );
}

/** The fields of the record that conditions of an input may read; lists and what came along stay here. */
function headOf(record: ErpRecord = {}): ErpRecord {
  return Object.fromEntries(
    Object.entries(record).filter(([name, value]) => !name.startsWith('_') && !Array.isArray(value)),
  );
}

/** The title of an input that the candidates of another are narrowed by, as long as nothing is chosen there. */
function stillEmpty(field: Field, fields: readonly Field[], values: ErpRecord): string | null {
  const asked = filterReads(field.where).values;
  const empty = fields.find(({ name }) => asked.includes(`input.${name}`) && isEmptyValue(values[name]));
  return empty?.title ?? null;
}

/** The element id of an input's control. */
export function inputId(action: string, name: string): string {
  return `input-${action}-${name}`;
}
