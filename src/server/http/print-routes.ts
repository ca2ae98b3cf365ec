import type { FastifyReply } from 'fastify';
import type { AppServices } from '#server/auth/app-services.ts';
import type { PrintData } from '#contract/prints.ts';
import { readTemplate } from '#server/workflow/printing/own-templates.ts';
import { editedCall, templateText, writersCall } from '#server/workflow/printing/template-text.ts';
import { composePages, makePdf } from '#server/workflow/printing/print-service.ts';
import { printRecord, type RecordPrint } from '#server/workflow/printing/print-record.ts';
import { listPrints, type SpecimenPrint, specimenPrint } from '#server/workflow/printing/print-specimen.ts';
import { PRINT_TEMPLATES } from '#contract/kept-rows.ts';
import type { PrintTemplate } from '#engine/print/print-template.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { resourceCall } from './resource-call.ts';
import { serve } from './serve.ts';

/** Documents of records: their pages for the screen, and PDFs of one or many. */
export function registerPrintRoutes(app: App, services: AppServices): void {
  const { config } = services;
  serve(app, 'GET /data/:resource/:id/print/:printId', async (request) => {
    const { params, query } = request;
    const print = await printRecord(resourceCall(services, request), { ...params, period: query });
    return answer(await pagesOf(config, print));
  });
  serve(app, 'GET /data/:resource/:id/print/:printId/template', async (request) =>
    answer(await templateText(resourceCall(services, request), request.params.printId)),
  );
  serve(app, 'POST /data/:resource/:id/print/:printId/preview', async (request) => {
    const { params, body } = request;
    const call = resourceCall(services, request);
    return answer(
      await edited(services, body.text, (template) =>
        printRecord(editedCall(call, template), { ...params, template }),
      ),
    );
  });
  serve(app, 'GET /data/:resource/:id/print/:printId/pdf', async (request, reply) => {
    const { params, query } = request;
    const print = await printRecord(resourceCall(services, request), { ...params, period: query });
    return sendPdf(reply, print.name, await makePdf(config, [print]));
  });
  serve(app, 'POST /data/:resource/print/:printId/pdf', async (request, reply) => {
    const call = resourceCall(services, request);
    const prints: RecordPrint[] = [];
    for (const id of new Set(request.body.ids))
      prints.push(await printRecord(call, { id, printId: request.params.printId }));
    const [first] = prints;
    const name = prints.length === 1 ? first?.name : `${first?.definition.title ?? ''} ${prints.length} 份`;
    return sendPdf(reply, name ?? '', await makePdf(config, prints));
  });
  registerSpecimenRoutes(app, services);
}

/** Templates without a record, for who writes them. */
function registerSpecimenRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /prints', async (request) =>
    answer(listPrints(writersCall(services, callerOf(request), PRINT_TEMPLATES))),
  );
  serve(app, 'GET /prints/:resource/:printId/template', async (request) => {
    const { resource, printId } = request.params;
    return answer(await templateText(writersCall(services, callerOf(request), resource), printId));
  });
  serve(app, 'POST /prints/:resource/:printId/preview', async (request) => {
    const { resource, printId } = request.params;
    const call = writersCall(services, callerOf(request), resource);
    return answer(
      await edited(services, request.body.text, (template) =>
        specimenPrint(editedCall(call, template), { printId, template }),
      ),
    );
  });
}

/** The pages that a text makes, or what is wrong with it. */
async function edited(
  services: AppServices,
  text: string,
  print: (template: PrintTemplate) => Promise<SpecimenPrint>,
): Promise<{ readonly print: PrintData | null; readonly faults: readonly string[] }> {
  const { template, faults } = readTemplate(services, text);
  if (template === null)
    return {
      print: null,
      faults: faults
        .slice(0, 20)
        .map(({ line, column, message }) => `第 ${line} 行第 ${column} 列：${message}`),
    };
  return { print: await pagesOf(services.config, await print(template)), faults: [] };
}

async function pagesOf(config: AppServices['config'], print: SpecimenPrint): Promise<PrintData> {
  const [composed] = await composePages(config, [print]);
  if (composed === undefined) throw new TypeError('no pages for a print');
  const { title: _title, ...pages } = composed;
  const { id, title } = print.definition;
  const pictures = Object.entries(print.pictures).map(([name, { png }]) => ({ name, png }));
  return { print: { id, title }, name: print.name, ...pages, pictures, period: print.period };
}

function sendPdf(reply: FastifyReply, name: string, content: Buffer): FastifyReply {
  return reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}.pdf`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(content);
}
