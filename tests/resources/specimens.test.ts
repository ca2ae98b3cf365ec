import { describe, expect, it } from 'vitest';
import { fillPrint } from '#engine/print/fill-print.ts';
import { specimenSource } from '#engine/print/specimen.ts';
import { shippedDefinitions } from './shipped-definitions.ts';

const { catalog, setup } = shippedDefinitions();
const COMPANY = { name: '华东融通进出口有限公司', name_en: 'EAST CHINA RONGTONG', hotline: '400-820-1001' };

describe('a specimen', () => {
  it.each(Object.entries(setup?.prints ?? {}))(
    'of %s has every block, and every table lines',
    (_, template) => {
      if (catalog === null) throw new TypeError('the shipped definitions have faults');
      const { blocks } = fillPrint(
        template,
        specimenSource(template, {
          catalog,
          company: COMPANY,
          picture: () => null,
          period: { from: '2026-10-01', to: '2026-11-20' },
        }),
      );
      expect(blocks.length).toBeGreaterThanOrEqual(template.blocks.length - 1);
      const short = blocks.filter((block) => block.kind === 'table' && block.rows.length < 3);
      expect(short).toEqual([]);
      expect(JSON.stringify(blocks)).not.toMatch(/[{][a-z_.]+[}]|undefined/);
    },
  );
});
