import type { SectionDefinition } from '#engine/schema/definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { currencyOf, labelsOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { LinesTable } from '#web/fields/lines-table.tsx';

export interface DetailSectionsProps {
  readonly resource: Resource;
  readonly record: ErpRecord;
  readonly onOpen: (resource: string, id: string) => void;
}

/** The sections of the edit form as read views; what is empty shows a dash, what the role may not see is not there. */
export function DetailSections({ resource, record, onOpen }: DetailSectionsProps) {
  const sections = resource.details.sections.length > 0 ? resource.details.sections : resource.edit;
  return (
    <>
      {sections.map((section) => (
        <section className="details-section" key={section.title}>
          <h2>{section.title}</h2>
          <SectionBody section={section} resource={resource} record={record} onOpen={onOpen} />
        </section>
      ))}
    </>
  );
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
    const columns = section.columns === undefined ? {} : { columns: section.columns };
    return (
      <LinesTable field={field} value={record[section.lines]} parent={record} onOpen={onOpen} {...columns} />
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
