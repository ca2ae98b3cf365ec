import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { currencyOf, labelsOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';

export interface LevelFieldsProps {
  readonly resource: Resource;
  readonly record: ErpRecord;
  readonly names: readonly string[];
  readonly values: ErpRecord;
  /** What the last try refused, by field. */
  readonly faults: Readonly<Record<string, string>>;
  /** Something is still to be filled in: open at once. */
  readonly isOpen: boolean;
  readonly onChange: (values: ErpRecord) => void;
}

/** The id of the control of a field. */
export function levelFieldId(name: string): string {
  return `level-${name}`;
}

/** What an approver fills in at his own level (risk level, owner): it is saved with the decision. */
export function LevelFields(props: LevelFieldsProps) {
  const { resource, record, names, values, faults, onChange } = props;
  const fields = names
    .flatMap((name) => resource.fields[name] ?? [])
    .filter((field) => field.type !== 'lines');
  if (fields.length === 0) return null;
  const labels = labelsOf(record);
  return (
    <details className="level-fields" open={props.isOpen}>
      <summary>本级填写或修改（{fields.map((field) => field.title).join('、')}）</summary>
      <div className="level-fields-grid">
        {fields.map((field) => {
          const { Control } = FIELD_VIEWS[field.type];
          const id = levelFieldId(field.name);
          const isChanged = Object.hasOwn(values, field.name);
          const fault = faults[field.name];
          const note = fault ?? field.hint;
          return (
            <div key={field.name} className="action-input">
              <label htmlFor={id}>{field.title}</label>
              <Control
                id={id}
                isInvalid={fault !== undefined}
                describedBy={note === undefined ? undefined : `${id}-note`}
                field={field}
                value={isChanged ? values[field.name] : record[field.name]}
                label={isChanged ? undefined : labels[field.name]}
                currency={currencyOf(field, record)}
                onChange={(value) => onChange({ ...values, [field.name]: value })}
                place={{
                  resource: resource.resource,
                  path: field.name,
                  readRecord: () => ({ ...record, ...values }),
                }}
                recordId={String(record['id'])}
              />
              {note !== undefined && (
                <small
                  id={`${id}-note`}
                  className={fault === undefined ? undefined : 'is-fault'}
                  role={fault === undefined ? undefined : 'alert'}
                >
                  {note}
                </small>
              )}
            </div>
          );
        })}
      </div>
    </details>
  );
}
