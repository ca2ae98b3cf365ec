import type { PrintTemplate } from '#engine/print/print-template.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Call, openCall, openSystemCall } from '#server/records/call/open-call.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { templateOf } from './print-record.ts';

/** Who may write templates of a company: those rows are. */
const TEMPLATES = 'print_template';

/** The text of a print's template as it serves the caller's company, for who may write it. @throws FORBIDDEN, UNKNOWN_ACTION */
export async function templateText(
  call: Call,
  printId: string,
): Promise<{
  readonly template: string;
  readonly text: string;
  readonly own: { readonly id: string; readonly version: number } | null;
}> {
  const { services, caller, resource } = call;
  openCall(services, caller, TEMPLATES, 'update');
  const definition = resource.print.find(({ id }) => id === printId);
  if (definition === undefined) throw new AppError('UNKNOWN_ACTION', { message: '没有这个打印模板' });
  const coCode = caller.subject.co_code;
  const [row] = await services.db.query(
    `select id::text as id, version::int as version, definition from print_template
     where co_code = $1 and template = $2 and status = 'active' and not is_deleted`,
    [coCode, definition.template],
  );
  const served = templateOf(call, { definition, coCode });
  return {
    template: definition.template,
    // One that the definitions have outgrown is shown all the same: it is to be mended.
    text: row === undefined ? JSON.stringify(served, null, 2) : String(row['definition']),
    own: row === undefined ? null : { id: String(row['id']), version: Number(row['version']) },
  };
}

/** The call of a preview: only who may write templates sees one that nobody has saved, and only of its own resource. @throws FORBIDDEN, BAD_REQUEST */
export function editedCall(call: Call, template: PrintTemplate): Call {
  openCall(call.services, call.caller, TEMPLATES, 'update');
  if (template.resource !== call.resource.resource)
    throw new AppError('BAD_REQUEST', { message: `"resource" 应为 "${call.resource.resource}"` });
  return call;
}

/** A call on the definitions of a resource alone, for who may write templates, whatever else he may see. @throws FORBIDDEN, UNKNOWN_RESOURCE */
export function writersCall(services: Services, caller: Caller, resource: string): Call {
  openCall(services, caller, TEMPLATES, 'update');
  return openSystemCall(services, caller, resource);
}
