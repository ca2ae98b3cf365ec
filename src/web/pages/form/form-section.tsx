import { EyeInvisibleOutlined } from '@ant-design/icons';
import { Popover } from 'antd';
import { memo, useMemo, useSyncExternalStore } from 'react';
import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import type { FieldStates } from '#engine/record/field-states.ts';
import { runningNumber } from '#engine/record/running-number.ts';
import type { Field } from '#engine/schema/resource.ts';
import { LineGrid } from '#web/fields/grid/line-grid.tsx';
import { isDrawn, knownFields } from './drawn-section.ts';
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
  const isShown = useSyncExternalStore(store.subscribeAny, () => isDrawn(section, store));
  const fields = knownFields(section, store);
  const hidden = hiddenParts(section, fields, states);
  if (!isShown) return null;
  const isEmpty = !('lines' in section) && hidden.length === fields.length;
  const columns = Math.min('lines' in section ? 1 : (section.columns ?? 3), 4);
  return (
    <section
      id={`${formId}-section-${index}`}
      className={isEmpty ? 'form-section is-empty' : 'form-section'}
      {...(isInTab === true ? { role: 'tabpanel' } : {})}
      aria-label={section.title}
    >
      {(isInTab !== true || hidden.length > 0) && (
        <header className="form-section-head">
          {isInTab !== true && <h2>{section.title}</h2>}
          {hidden.length > 0 && <HiddenFields hidden={hidden} />}
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

/** A field or a column that does not apply, and why. */
interface HiddenPart {
  readonly name: string;
  readonly title: string;
  readonly reason: string;
}

function hiddenParts(
  section: SectionDefinition,
  fields: readonly Field[],
  states: FieldStates,
): readonly HiddenPart[] {
  const parts = 'lines' in section ? columnsOf(section, fields[0]) : fields;
  const prefix = 'lines' in section ? `${section.lines}.` : '';
  return parts.flatMap(({ name, title }) => {
    const reason = states[`${prefix}${name}`]?.hidden;
    return reason === undefined ? [] : [{ name, title, reason }];
  });
}

function columnsOf({ columns }: { readonly columns?: readonly string[] }, field: Field | undefined) {
  const all = field?.fields ?? {};
  return (columns ?? Object.keys(all)).map((name) => all[name]).filter((column) => column !== undefined);
}

function HiddenFields({ hidden }: { readonly hidden: readonly HiddenPart[] }) {
  return (
    <Popover
      trigger="click"
      title="为什么没有这些字段"
      content={
        <ul className="hidden-fields">
          {hidden.map(({ name, title, reason }) => (
            <li key={name}>
              <b>{title}</b>：{reason}
            </li>
          ))}
        </ul>
      }
    >
      <button type="button" className="why-button">
        <EyeInvisibleOutlined /> 有 {hidden.length} 项未显示，为什么？
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
  const states = useSyncExternalStore(store.subscribeAny, () => store.states());
  const offered = columnsOf(names === undefined ? {} : { columns: names }, field)
    // The number stands before the line and keeps itself; what applies to no line takes no room.
    .filter((column) => column.name !== numbered && states[`${name}.${column.name}`]?.hidden === undefined)
    .map((column) => column.name)
    .join();
  const columns = useMemo(() => columnsOf({ columns: offered.split(',') }, field), [field, offered]);
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
