import { dictionaryLabels, dictionarySource } from '#server/records/read/dictionary-labels.ts';
import { plainField } from '#engine/report/report-names.ts';
import type { ReportParam } from '#engine/report/report-definition.ts';
import { targetPlace } from '#engine/schema/field-path.ts';
import type { Field } from '#engine/schema/resource.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { openAnyCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { quoteName, statementName } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import type { Caller, Services } from '#server/records/services.ts';

/** What may be chosen, with its name. */
export interface ParamOption {
  readonly value: string;
  readonly label: string;
}

/** A select of more would be a list: see `lookup`. */
const MOST = 500;

/**
 * What may be chosen for a parameter: its own options, the values of its dictionary, or the records of the caller's
 * company that the dictionary is filled from (departments, currencies); empty for what is typed or picked otherwise.
 */
export async function paramOptions(
  services: Services,
  caller: Caller,
  param: ReportParam,
): Promise<readonly ParamOption[]> {
  const catalog = currentCatalog(services);
  const field: Field = {
    ...plainField('', 'dictionary'),
    ...(param.options === undefined ? {} : { options: param.options }),
    ...(param.dictionary === undefined ? {} : { dictionary: param.dictionary }),
  };
  const fixed = [...dictionaryLabels(catalog, field)];
  if (fixed.length > 0) return fixed.map(([value, label]) => ({ value, label }));
  return param.options === undefined ? recordOptions(services, caller, field) : [];
}

async function recordOptions(
  services: Services,
  caller: Caller,
  field: Field,
): Promise<readonly ParamOption[]> {
  const catalog = currentCatalog(services);
  const [target = '', by = ''] = (dictionarySource(catalog, field) ?? '').split('@');
  const place = targetPlace(target, catalog);
  if (place === null || place.lines !== undefined) return [];
  const named = catalog.dictionaries[field.dictionary ?? '']?.from?.label;
  const label = named === undefined ? labelExpression(catalog, target, 't') : `t.${quoteName(named)}::text`;
  const value = `t.${quoteName(by)}::text`;
  const open = place.resource.lifecycle?.states['disabled'] === undefined ? '' : ` and t.status is distinct from 'disabled'`; // prettier-ignore
  const text = `select ${value} as value, ${label} as label from ${tableOf(place.resource)} t
    where not t.is_deleted and ${value} is not null${open} order by 1 limit ${MOST}`;
  const rows = await callersReader(openAnyCall(services, caller, target)).query<{
    value: string;
    label: string | null;
  }>(text, [], statementName(text));
  return rows.map(({ value: code, label: name }) => ({ value: code, label: name ?? code }));
}
