import type { PrintEntry } from '#contract/prints.ts';
import { fillPrint } from '#engine/print/fill-print.ts';
import type { PrintTemplate } from '#engine/print/print-template.ts';
import { specimenSource } from '#engine/print/specimen.ts';
import { addDays } from '#engine/values/dates.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { companyValues } from '#server/records/definitions/regions.ts';
import { companyPictures, usedPictures } from './company-pictures.ts';
import { ownTemplate } from './own-templates.ts';
import type { RecordPrint } from './print-record.ts';

/** What a print with example values has of one of a record. */
export type SpecimenPrint = Pick<
  RecordPrint,
  'definition' | 'filled' | 'pictures' | 'foot' | 'name' | 'period'
>;

/** A print with the company's names and pictures and with example values from the definitions: no record is read. @throws UNKNOWN_ACTION */
export async function specimenPrint(
  call: Call,
  { printId, template }: { readonly printId: string; readonly template: PrintTemplate },
): Promise<SpecimenPrint> {
  const { resource, services, caller, catalog } = call;
  const definition = resource.print.find(({ id }) => id === printId);
  if (definition === undefined) throw new AppError('UNKNOWN_ACTION', { message: '没有这个打印模板' });
  const coCode = caller.subject.co_code;
  const { today } = caller.context;
  const period = { from: `${addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`, to: today };
  const known = await companyPictures(services, coCode);
  const filled = fillPrint(
    template,
    specimenSource(template, {
      catalog,
      company: companyValues(services.definitions, coCode),
      picture: (kind) => known[kind]?.name ?? null,
      period,
    }),
  );
  return {
    definition,
    filled,
    pictures: usedPictures(filled, known),
    foot: '样张',
    name: `${definition.title} 样张`,
    period: null,
  };
}

/** Every print of every resource, with whether the company wrote its own template. */
export function listPrints({ services, catalog, caller }: Call): readonly PrintEntry[] {
  const coCode = caller.subject.co_code;
  return Object.values(catalog.resources).flatMap(({ resource, title: resourceTitle, print }) =>
    print.map(({ id, title, template }) => ({
      ...{ resource, resourceTitle, id, title, template },
      isOwn: ownTemplate(services, coCode, template) !== null,
    })),
  );
}
