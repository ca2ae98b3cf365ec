import type { PickAnswer } from '#contract/pick.ts';
import type { Field } from '#engine/schema/resource.ts';
import { labelsOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { useState } from 'react';
import type { ValueLabel } from '#web/fields/field-view.ts';
import type { FormStore } from '../form/form-store.ts';

interface PickFiltersProps {
  readonly store: FormStore;
  readonly filters: PickAnswer['filters'];
  /** Null: as the form's head stands. */
  readonly given: Readonly<Record<string, string | null>> | null;
  readonly onChange: (filters: Readonly<Record<string, string | null>>) => void;
}

/** So many parties and kinds are offered. */
const MOST = 4;

/** Parties and kinds by which the documents are narrowed; they begin as the form has them. */
export function PickFilters({ store, filters, given, onChange }: PickFiltersProps) {
  const [labels, setLabels] = useState<Readonly<Record<string, ValueLabel>>>({});
  const record = store.record();
  const shown = filters.slice(0, MOST).flatMap(({ name }) => store.resource.fields[name] ?? []);
  const current = given ?? Object.fromEntries(filters.map(({ name }) => [name, textOrNull(record[name])]));
  if (shown.length === 0) return null;
  return (
    <div className="pick-filters">
      {shown.map((field) => {
        const { Control } = FIELD_VIEWS[field.type];
        const value = current[field.name] ?? null;
        const isOwn = value !== null && value === record[field.name];
        return (
          <label key={field.name}>
            <span>{field.title}</span>
            <Control
              field={openFilter(field)}
              value={value}
              label={isOwn ? labelsOf(record)[field.name] : labels[field.name]}
              place={{ resource: store.resource.resource, path: field.name, readRecord: () => record }}
              onChange={(next, picked) => {
                const label =
                  picked !== null && picked !== undefined && 'label' in picked ? picked.label : null;
                setLabels({ ...labels, [field.name]: label });
                onChange({ ...current, [field.name]: textOrNull(next) });
              }}
            />
          </label>
        );
      })}
    </div>
  );
}

/** A filter may be empty, whatever the form asks. */
function openFilter(field: Field): Field {
  return { ...field, required: false };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
