import { EyeInvisibleOutlined } from '@ant-design/icons';
import { Popover } from 'antd';
import { memo, useMemo, useSyncExternalStore } from 'react';
import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import { runningNumber } from '#engine/record/running-number.ts';
import type { Field } from '#engine/schema/resource.ts';
import { LineGrid } from '#web/fields/grid/line-grid.tsx';
import { totalledColumns } from './totalled-columns.ts';
import { awaitedTitle, controlId, useField, useFormPlace } from './form-context.ts';
import { PickButton } from '../pick/pick-button.tsx';
import { FormField } from './form-field.tsx';

interface FormSectionProps {
  readonly section: SectionDefinition;
  readonly index: number;
  /** The tab says its title. */
  readonly isInTab?: boolean;
}

/** A section of the form: fields in columns, or a line grid. Sections of which everything is hidden are not shown. */
export const FormSection = memo(function FormSection({ section, index, isInTab }: FormSectionProps) {
  const { store, formId } = useFormPlace();
  const states = useSyncExternalStore(store.subscribeAny, () => store.states());
  const { label, kind } = store.resource;
  // The bar above says the number of a document; who writes the form does not.
  const isInBar = (name: string): boolean =>
    name === label && kind === 'document' && store.resource.fields[name]?.computed === true;
  const names = 'lines' in section ? [section.lines] : section.fields.filter((name) => !isInBar(name));
  const fields = names.map((name) => store.resource.fields[name]).filter((field) => field !== undefined);
  const hidden = fields.filter((field) => states[field.name]?.hidden !== undefined);
  if (fields.length === 0) return null;
  const columns = Math.min('lines' in section ? 1 : (section.columns ?? 3), 4);
  return (
    <section
      id={`${formId}-section-${index}`}
      className={hidden.length === fields.length ? 'form-section is-empty' : 'form-section'}
      {...(isInTab === true ? { role: 'tabpanel' } : {})}
      aria-label={section.title}
    >
      {(isInTab !== true || hidden.length > 0) && (
        <header className="form-section-head">
          {isInTab !== true && <h2>{section.title}</h2>}
          {hidden.length > 0 && (
            <HiddenFields fields={hidden} reasonOf={(name) => states[name]?.hidden ?? ''} />
          )}
        </header>
      )}
      {'lines' in section ? (
        <LinesSection
          name={section.lines}
          columns={section.columns}
          isFixedLength={states[section.lines]?.fixedRows !== undefined}
        />
      ) : (
        <div className={`form-grid columns-${columns}`}>
          {fields.map((field) => (
            <FormField key={field.name} field={field} />
          ))}
        </div>
      )}
    </section>
  );
});

interface HiddenFieldsProps {
  readonly fields: readonly Field[];
  readonly reasonOf: (name: string) => string;
}

function HiddenFields({ fields, reasonOf }: HiddenFieldsProps) {
  return (
    <Popover
      trigger="click"
      title="为什么没有这些字段"
      content={
        <ul className="hidden-fields">
          {fields.map((field) => (
            <li key={field.name}>
              <b>{field.title}</b>：{reasonOf(field.name)}
            </li>
          ))}
        </ul>
      }
    >
      <button type="button" className="why-button">
        <EyeInvisibleOutlined /> 有 {fields.length} 项未显示，为什么？
      </button>
    </Popover>
  );
}

interface LinesSectionProps {
  readonly name: string;
  readonly columns: readonly string[] | undefined;
  /** The lines follow something, and neither come nor go by hand. */
  readonly isFixedLength: boolean;
}

function LinesSection({ name, columns: names, isFixedLength }: LinesSectionProps) {
  const { store, formId } = useFormPlace();
  const { resource } = store;
  const { isHidden, isReadOnly, problem } = useField(name);
  const field = resource.fields[name];
  const numbered = field === undefined ? null : runningNumber(field);
  const columns = useMemo(() => {
    const all = field?.fields ?? {};
    // The number stands before the line and keeps itself.
    return (names ?? Object.keys(all))
      .filter((column) => column !== numbered)
      .map((column) => all[column])
      .filter((column) => column !== undefined);
  }, [field, names, numbered]);
  const totals = useMemo(() => totalledColumns(resource, name), [resource, name]);
  const lines = store.lines(name);
  if (field === undefined || lines === undefined || isHidden) return null;
  // Lines that the system writes in every cell are not begun by people.
  const isWholeOpen = !isReadOnly && store.isOpen(name) && columns.some((column) => !column.computed);
  // What the system writes is open to nobody, in a new record either.
  const isSomeOpen = !field.computed && columns.some((column) => store.isOpen(`${name}.${column.name}`));
  return (
    <div id={controlId(formId, name)} tabIndex={-1}>
      <LineGrid
        store={lines}
        title={field.title}
        columns={columns}
        resource={resource.resource}
        lines={name}
        isDisabled={!isWholeOpen && !isSomeOpen}
        isFixedLength={!isWholeOpen || isFixedLength}
        isColumnOpen={(column) => store.isOpen(`${name}.${column.name}`)}
        totals={totals}
        readParent={() => store.record()}
        awaitedInHead={(needed) => awaitedTitle(store, needed)}
        numbered={numbered}
        {...(isWholeOpen && !isFixedLength && (field.from ?? []).length > 0
          ? { toolbarExtra: <PickButton field={field} columns={columns} totals={totals} /> }
          : {})}
        {...(typeof field.max === 'number' ? { max: field.max } : {})}
      />
      {problem !== null && (
        <div className="form-problem" role="alert">
          {problem}
        </div>
      )}
    </div>
  );
}
