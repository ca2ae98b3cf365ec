import { ZipFile } from 'yazl';
import type { Config } from '#server/kernel/config.ts';
import type { AssembledPaper } from './assemble-set.ts';
import { makePdf } from './print-service.ts';

/** All papers as one PDF, and each as its own in a zip. @throws TIMEOUT */
export async function setFiles(
  config: Pick<Config, 'webDir'>,
  papers: readonly AssembledPaper[],
): Promise<{ readonly pdf: Buffer; readonly zip: Buffer }> {
  const pdf = await makePdf(
    config,
    papers.map(({ print }) => print),
  );
  const zip = new ZipFile();
  for (const [place, { print }] of papers.entries())
    zip.addBuffer(await makePdf(config, [print]), `${String(place + 1).padStart(2, '0')} ${print.name}.pdf`);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return { pdf, zip: Buffer.concat(chunks) };
}
