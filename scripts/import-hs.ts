/**
 * The customer's refund-rate library and list of declaration elements: `npm run import-hs -- --rates FILE --elements FILE`
 * says what would change and writes the report, with `--apply` it is done. Formats: README.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { importHsLibrary } from '#server/business/setup/import-hs-library.ts';
import { reportTable } from '#server/business/setup/hs-library-report.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { runCommand } from './run-command.ts';
import { withServices } from './with-services.ts';

await runCommand(async () => {
  const { rates, elements, report, isApplied } = readArguments();
  const files = { rates: await bytesOf(rates), elements: await bytesOf(elements) };
  await withServices('import-hs', async (services) => {
    const found = await importHsLibrary(services, { ...files, isApplied });
    await writeFile(report, reportTable(found));
    const added = found.changes.filter(({ before }) => before === null).length;
    const told = [
      `新增版本 ${added}`,
      `更正或截止 ${found.changes.length - added}`,
      `申报要素 ${found.elements.length}`,
      `未导入 ${found.faults.length} 行`,
      `文库未提到的编码 ${found.unmentioned}`,
    ];
    console.log(`${isApplied ? '已导入' : '将导入'}：${told.join('，')}；明细见 ${report}`);
    if (!isApplied) console.log('加 --apply 执行');
  });
});

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        rates: { type: 'string' },
        elements: { type: 'string' },
        report: { type: 'string', default: 'hs-changes.csv' },
        apply: { type: 'boolean', default: false },
      },
    });
    if (values.rates === undefined && values.elements === undefined) throw new TypeError('no file');
    const { rates = null, elements = null, report, apply } = values;
    return { rates, elements, report, isApplied: apply };
  } catch (error) {
    throw new StartRefusal(
      '用法：npm run import-hs -- --rates <文库.csv> [--elements <要素.csv>] [--report <报告.csv>] [--apply]',
      error,
    );
  }
}

async function bytesOf(path: string | null): Promise<Uint8Array | null> {
  if (path === null) return null;
  try {
    return await readFile(path);
  } catch (error) {
    throw new StartRefusal(`读不到文件 ${path}`, error);
  }
}
