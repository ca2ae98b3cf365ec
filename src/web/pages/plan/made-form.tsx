import { useState } from 'react';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { currencyOf, labelsOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { LinesTable } from '#web/fields/lines-table.tsx';

interface MadeFormProps {
  readonly resource: string;
  readonly form: ErpRecord;
}

/** What a document that is to be made will be filled with, told when it is asked for. */
export function MadeForm({ resource, form }: MadeFormProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="made-form" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>查看将填写的内容</summary>
      {isOpen && <FilledForm resource={resource} form={form} />}
    </details>
  );
}

function FilledForm({ resource: key, form }: MadeFormProps) {
  const { resource, fault } = usePageResource(key);
  if (fault !== null) return <p className="plan-fault">{fault}</p>;
  if (resource === null) return <p className="plan-waiting">加载中…</p>;
  const filled = Object.values(resource.fields).filter(({ name }) => form[name] !== undefined);
  const heads = filled.filter(({ type }) => type !== 'lines');
  const lists = filled.filter(({ type }) => type === 'lines');
  if (filled.length === 0) return <p className="plan-waiting">没有带入的内容</p>;
  return (
    <>
      <FilledHead heads={heads} form={form} />
      {lists.map((field) => (
        <section key={field.name}>
          <h3>{field.title}</h3>
          <LinesTable
            field={field}
            value={form[field.name]}
            parent={form}
            columns={filledColumns(field, form)}
            onOpen={openNothing}
          />
        </section>
      ))}
    </>
  );
}

function FilledHead({ heads, form }: { readonly heads: readonly Field[]; readonly form: ErpRecord }) {
  const labels = labelsOf(form);
  return (
    <dl className="details-fields">
      {heads.map((field) => {
        const { Detail } = FIELD_VIEWS[field.type];
        return (
          <div key={field.name}>
            <dt>{field.title}</dt>
            <dd>
              <Detail
                field={field}
                value={form[field.name]}
                label={labels[field.name]}
                currency={currencyOf(field, form)}
                onOpen={openNothing}
              />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The columns in which a line has a value, in the order of the definition. */
function filledColumns(field: Resource['fields'][string], form: ErpRecord): readonly string[] {
  const lines: unknown = form[field.name];
  const named = new Set(
    Array.isArray(lines) ? lines.flatMap((line: unknown) => Object.keys(Object(line))) : [],
  );
  return Object.keys(field.fields ?? {}).filter((name) => named.has(name));
}

/** Nothing is left while the dialog stands open. */
function openNothing(): void {}
