import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatFault } from '#engine/schema/source-file.ts';
import { readConfig } from '#server/kernel/config.ts';
import { startServer } from '#server/main.ts';
import { createTestDatabase } from '../../support/database.ts';
import { aMemo, MISTAKES, withMistake } from '../../support/mistakes.ts';
import { writeExample } from '../support/example-definitions.ts';
import { type Example, startExample } from '../support/running-example.ts';

const FILE = 'sales/memo.json';
let example: Example;
let token: string;
beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('sp.aa', 'SP');
  await example.definitions.write(FILE, aMemo());
  await example.server.services.definitions.reload();
});
afterAll(() => example.close());

it('mistakes, each in a file of its own, are all told at the first start, with their places', async () => {
  const [database, definitions, dataDir] = await Promise.all([
    createTestDatabase(),
    writeExample(),
    mkdtemp(path.join(tmpdir(), 'erp-data-')),
  ]);
  const lines = new Map<string, number>();
  for (const [index, mistake] of MISTAKES.entries()) {
    const { text, line } = withMistake(aMemo(`memo_${index}`), mistake);
    lines.set(`resources/bad/memo_${index}.json`, line);
    await definitions.write(`bad/memo_${index}.json`, text);
  }
  const env = { PORT: '0', DATABASE_URL: database.url, ERP_DEMO: '1', ERP_DATA_DIR: dataDir, ERP_RESOURCES_DIR: definitions.folder, LOG_LEVEL: 'error' }; // prettier-ignore
  const refused: unknown = await startServer(readConfig(env)).catch((error: unknown) => error);
  const told = String(refused);
  for (const [file, line] of lines) expect(told).toContain(`${file}:${line}:`);
  await Promise.all([database.drop(), definitions.remove(), rm(dataDir, { recursive: true, force: true })]);
});

it('each is named at reload while others write; the last good version serves, nothing is lost, nothing fails', async () => {
  const { definitions } = example.server.services;
  const statuses: number[] = [];
  const made: string[] = [];
  const writing = { isOver: false };
  const write = async (): Promise<void> => {
    while (!writing.isOver) {
      const body = { title: `便笺 ${made.length}`, count: 2, items: [{ text: 'x', amount: '1.00' }] };
      const { status, body: answer } = await example.call('POST', '/erp/api/data/memo', { token, body });
      statuses.push(status);
      if (status === 200) made.push((answer.data as { readonly id: string }).id);
    }
  };
  const writers = [write(), write(), write(), write()];
  try {
    const missed: string[] = [];
    for (const mistake of MISTAKES) {
      const { text, line } = withMistake(aMemo(), mistake);
      await example.definitions.write(FILE, text);
      await definitions.reload();
      const faults = definitions.faults().map(formatFault);
      const place = `resources/${FILE}:${line}:`;
      if (!faults.some((fault) => fault.startsWith(place) && mistake.says.test(fault)))
        missed.push(`${mistake.what} (${place}): ${faults.join(' | ')}`);
    }
    expect(missed).toEqual([]);
    await example.definitions.write(FILE, aMemo());
    await definitions.reload();
    expect(definitions.faults()).toEqual([]);
  } finally {
    writing.isOver = true;
  }
  await Promise.all(writers);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [row] = await example.owner.query('select count(*)::int as n, count(distinct memo_no)::int as numbers from memo');
  expect(row).toEqual({ n: made.length, numbers: made.length });
  expect(made.length).toBeGreaterThan(writers.length);
}, 600_000); // prettier-ignore
