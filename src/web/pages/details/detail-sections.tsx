import { useState } from 'react';
import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { currencyOf, isKeptFrom, labelsOf, saysNothing } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { LinesTable } from '#web/fields/lines-table.tsx';
import { Conversation } from './conversation.tsx';
import { shownLines, shownSections } from './hidden-of-record.ts';
import { documentLayout, sectionFields } from '../form/document-layout.ts';

export interface DetailSectionsProps {
  readonly resource: Resource;
  readonly record: ErpRecord;
  readonly onOpen: (resource: string, id: string) => void;
}

/**
 * The sections of the edit form as read views, the lines right below the head. What is empty takes no room until one asks
 * for it; what the role may not see, and what the form hides of such a record, is not there.
 */
export function DetailSections({ resource, record, onOpen }: DetailSectionsProps) {
  const [isEmptyShown, setEmptyShown] = useState(false);
  const all = resource.details.sections.length > 0 ? resource.details.sections : resource.edit;
  const sections = shownSections(all, resource, record);
  const { above, below } = documentLayout(sections, resource.kind === 'document');
  const ordered = [...above, ...below].map(({ section }) => section);
  const empty = ordered.flatMap((section) => emptyFields(section, resource, record));
  // What is there but not for this reader is no empty field to be asked for.
  const kept = empty.filter((name) => isKeptFromReader(resource, record, name));
  const shown = ordered.filter((section) => isEmptyShown || !isAllEmpty(section, resource, record));
  return (
    <>
      {shown.map((section) => (
        <section className="details-section" key={section.title}>
          <h2>{section.title}</h2>
          <SectionBody
            section={withoutFields(section, isEmptyShown ? kept : empty)}
            resource={resource}
            record={record}
            onOpen={onOpen}
          />
        </section>
      ))}
      {empty.length > kept.length && (
        <button
          type="button"
          className="cell-link details-empty"
          onClick={() => setEmptyShown(!isEmptyShown)}
        >
          {isEmptyShown ? '收起空项' : `显示 ${empty.length - kept.length} 个空项`}
        </button>
      )}
    </>
  );
}

function isKeptFromReader(resource: Resource, record: ErpRecord, name: string): boolean {
  const field = resource.fields[name];
  return field !== undefined && isKeptFrom(field, record);
}

function emptyFields(section: SectionDefinition, resource: Resource, record: ErpRecord): readonly string[] {
  if ('lines' in section)
    return section.conversation === undefined && isEmptyValue(record[section.lines]) ? [section.lines] : [];
  return section.fields.filter((name) => {
    const field = resource.fields[name];
    return field !== undefined && saysNothing(field, record);
  });
}

function isAllEmpty(section: SectionDefinition, resource: Resource, record: ErpRecord): boolean {
  if ('lines' in section && section.conversation !== undefined) return false;
  return sectionFields(section)
    .flatMap((name) => resource.fields[name] ?? [])
    .every((field) => saysNothing(field, record));
}

function withoutFields(section: SectionDefinition, names: readonly string[]): SectionDefinition {
  return 'lines' in section
    ? section
    : { ...section, fields: section.fields.filter((name) => !names.includes(name)) };
}

function SectionBody({
  section,
  resource,
  record,
  onOpen,
}: DetailSectionsProps & { readonly section: SectionDefinition }) {
  const labels = labelsOf(record);
  if ('lines' in section) {
    const field = resource.fields[section.lines];
    if (field === undefined) return null;
    if (section.conversation !== undefined)
      return (
        <Conversation
          resource={resource}
          record={record}
          lines={section.lines}
          conversation={section.conversation}
        />
      );
    const columns = section.columns === undefined ? {} : { columns: section.columns };
    return (
      <LinesTable
        field={field}
        value={shownLines(field, record)}
        parent={record}
        onOpen={onOpen}
        {...columns}
      />
    );
  }
  return (
    <dl className="details-fields">
      {section.fields.map((name) => {
        const field = resource.fields[name];
        if (field === undefined) return null;
        const { Detail } = FIELD_VIEWS[field.type];
        const isWide = field.type === 'textarea' || field.type === 'richtext' || field.type === 'lines';
        return (
          <div key={name} className={isWide ? 'wide' : undefined}>
            <dt>{field.title}</dt>
            <dd>
              <Detail
                field={field}
                value={record[name]}
                label={labels[name]}
                currency={currencyOf(field, record)}
                onOpen={onOpen}
              />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
