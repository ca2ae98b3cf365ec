/** Writes resources/reference-data/workdays_cn.csv: the holidays of China and the working days moved to weekends, as published with chinese-days. */
import { writeFileSync } from 'node:fs';
import published from 'chinese-days/dist/chinese-days.json' with { type: 'json' };

const TARGET = 'resources/reference-data/workdays_cn.csv';
const FIRST = '2020-01-01';

/** Names by date: `Spring Festival,春节,4`. */
type Days = Readonly<Record<string, string>>;

const rows = [...rowsOf(published.holidays, 'rest'), ...rowsOf(published.workdays, 'work')].sort();
writeFileSync(TARGET, `date,kind,name\n${rows.join('\n')}\n`);

function rowsOf(days: Days, kind: 'rest' | 'work'): readonly string[] {
  return Object.entries(days)
    .filter(([date]) => date >= FIRST)
    .map(([date, names]) => `${date},${kind},${names.split(',')[1] ?? ''}`);
}
