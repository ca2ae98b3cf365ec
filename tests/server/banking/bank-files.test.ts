import { describe, expect, it } from 'vitest';
import { encodeGbk } from '#server/kernel/encode-gbk.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readAmount, readDay } from '#server/business/banking/bank-file.ts';
import { daysTaken, withFingerprints } from '#server/business/banking/line-fingerprints.ts';
import { matchEntries } from '#server/business/banking/match-entries.ts';
import { readBankFile } from '#server/business/banking/read-bank-file.ts';
import { readBankFileAside } from '#server/business/banking/read-bank-file-aside.ts';
import { readStatementTable, type TableFormat } from '#server/business/banking/read-statement-table.ts';
import { workbookBytes } from '#server/workflow/transfer/write-workbook.ts';

const FORMAT: TableFormat = {
  name: '某行网银',
  date: '交易日期|记账日',
  amounts: 'two',
  amount: '',
  income: '收入金额',
  expense: '支出金额',
  mark: '',
  incomeMarks: [],
  balance: '账户余额',
  counterparty: '对方户名',
  counterAccount: '',
  bankRef: '流水号',
  summary: '摘要',
  dayOrder: 'ymd',
};
const MARKED: TableFormat = {
  ...FORMAT,
  name: '另一行',
  date: 'Date',
  amounts: 'marked',
  amount: 'Amount',
  income: '',
  expense: '',
  mark: 'D/C',
  incomeMarks: ['C', '贷'],
  balance: '',
  dayOrder: 'dmy',
};

const read = (text: string | Buffer, name = '对账单.csv', formats = [FORMAT, MARKED]) =>
  readBankFile({ bytes: typeof text === 'string' ? Buffer.from(text) : text, name }, formats);

const refusal = (text: string | Buffer, name?: string) => refusalOf(read(text, name));

async function refusalOf(reading: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await reading.then(
    () => null,
    (fault: unknown) => fault,
  );
  if (!(error instanceof AppError)) return ['没有拒绝'];
  return [error.message, ...(error.problems ?? []).map(({ message }) => message)];
}

const TABLE = `账号,331000000001,,,,,
交易日期,收入金额,支出金额,账户余额,对方户名,流水号,摘要
2026-02-27,"1,000.00",,"1,000.00",甲公司,A1,货款
2026-02-28,,250.50,749.50,乙公司,A2,运费
2026-03-01,0.00,49.5,700.00,,A3,手续费
合计,1000.00,300.00,,,,
`;

describe('a table of a bank', () => {
  it.each([
    ['UTF-8', Buffer.from(TABLE)],
    ['GBK', encodeGbk(TABLE)],
    ['UTF-16', Buffer.from(`\uFEFF${TABLE}`, 'utf16le')],
  ])('is read in %s, by the columns of its format', async (_encoding, bytes) => {
    const file = await read(bytes);
    expect(
      file.lines.map(({ row, date, amount, balance, counterparty, bankRef }) => [
        row,
        date,
        amount,
        balance,
        counterparty,
        bankRef,
      ]),
    ).toEqual([
      [3, '2026-02-27', '1000.00', '1000.00', '甲公司', 'A1'],
      [4, '2026-02-28', '-250.50', '749.50', '乙公司', 'A2'],
      [5, '2026-03-01', '-49.5', '700.00', '', 'A3'],
    ]);
  });

  it('is turned round when the newest comes first, and takes a mark of the direction', async () => {
    const file = await read('Date,Amount,D/C\n03/02/2026,5.00,C\n01/02/2026,7.00,D\n');
    expect(file.lines.map(({ date, amount }) => [date, amount])).toEqual([
      ['2026-02-01', '-7.00'],
      ['2026-02-03', '5.00'],
    ]);
  });

  it.each([
    ['newest first', ['10.00,,110.00', '5.00,,100.00', ',3.00,95.00']],
    ['oldest first', [',3.00,95.00', '5.00,,100.00', '10.00,,110.00']],
  ])('of one day is put in order by its balances: %s', async (_order, rows) => {
    const file = await read(
      `交易日期,收入金额,支出金额,账户余额\n${rows.map((row) => `2026-11-20,${row}`).join('\n')}\n`,
    );
    expect(file.lines.map(({ amount, balance }) => [amount, balance])).toEqual([
      ['-3.00', '95.00'],
      ['5.00', '100.00'],
      ['10.00', '110.00'],
    ]);
  });

  it('is read from a workbook whose days are days', async () => {
    const column = (title: string, kind: 'date' | 'text') => ({ title, format: { kind }, width: 9 });
    const titles = ['收入金额', '支出金额', '账户余额'].map((title) => column(title, 'text'));
    const columns = [column('交易日期', 'date'), ...titles];
    const rows = [['2026-11-20', '8.20', null, '8.20']];
    const file = await read(await workbookBytes([{ name: '表', columns, rows }]), '对账单.xlsx');
    expect(file.lines).toMatchObject([{ date: '2026-11-20', amount: '8.20', balance: '8.20' }]);
  });

  it('has the amounts that a spreadsheet shows, not those that it stores', () => {
    const cell = (text: string, kind: 'text' | 'number' | 'date' = 'text') => ({ text, kind });
    const titles = ['交易日期', '收入金额', '支出金额', '账户余额'].map((title) => cell(title));
    const stored = [cell('46346', 'date'), cell('8.1999999999999993', 'number'), null];
    const rows = [
      { row: 1, cells: titles },
      { row: 2, cells: [...stored, cell('1.2000000000000002E3', 'number')] },
    ];
    const lines = [{ date: '2026-11-20', amount: '8.2', balance: '1200' }];
    expect(readStatementTable(rows, [FORMAT])).toMatchObject({ lines, faults: [] });
  });

  it('has no number of which a spreadsheet kept the first digits only', () => {
    const cell = (text: string, kind: 'text' | 'number' = 'text') => ({ text, kind });
    const titles = ['交易日期', '收入金额', '支出金额', '流水号', '对方账号'].map((title) => cell(title));
    const rowOf = (row: number, kind: 'text' | 'number', ref: string, account: string) => ({
      row,
      cells: [cell('2026-11-20'), cell('5'), null, cell(ref, kind), cell(account, kind)],
    });
    const lost = ['2.0261128000123E+19', '6217001234567890000'] as const;
    const rows = [
      { row: 1, cells: titles },
      rowOf(2, 'number', ...lost),
      rowOf(3, 'number', '20261128', '62170012'),
      rowOf(4, 'text', '20261128000123456789', '6217001234567891234'),
    ];
    const lines = readStatementTable(rows, [{ ...FORMAT, counterAccount: '对方账号' }])?.lines ?? [];
    expect(lines.map(({ bankRef, counterAccount }) => [bankRef, counterAccount])).toEqual([
      ['', ''],
      ['20261128', '62170012'],
      ['20261128000123456789', '6217001234567891234'],
    ]);
    // A statement of before has it with the digits that were left.
    const [before] = withFingerprints(lines.map((line) => ({ ...line, bankRef: lost[0] })));
    expect(withFingerprints(lines)[0]?.formerFingerprint).toBe(before?.fingerprint);
  });

  it('takes no error of a formula for a text, a direction or no amount', () => {
    const row = (number: number, texts: readonly string[]) => ({
      row: number,
      cells: texts.map((text) => (text === '' ? null : ({ text, kind: text.startsWith('#') ? 'error' : 'text' } as const))),
    });
    const rows = [
      row(1, ['Date', 'Amount', 'D/C', 'Balance', '对方户名', '流水号']),
      row(2, ['20-11-2026', '5', 'C', '5', '#N/A', '#无结果']),
      row(3, ['20-11-2026', '5', '#N/A', '5', '甲', 'A']),
      row(4, ['20-11-2026', '#无结果', 'C', '5', '甲', 'A']),
      row(5, ['20-11-2026', '5', 'C', '#REF!', '甲', 'A']),
    ];
    expect(readStatementTable(rows, [{ ...MARKED, balance: 'Balance' }])).toMatchObject({
      lines: [{ row: 2, amount: '5', counterparty: '', bankRef: '' }],
      faults: [
        { row: 3, message: '金额无法识别' },
        { row: 4, message: '金额无法识别' },
        { row: 5, message: '余额“#REF!”无法识别' },
      ],
    });
  }); // prettier-ignore

  it.each([
    [
      'names broken lines with their row',
      TABLE.replace('2026-02-28', '2026-02-30').replace('"1,000.00",,', '一千,,'),
      [
        '对账单有 2 行无法读取：第3行：金额无法识别',
        '第3行：金额无法识别',
        '第4行：日期“2026-02-30”无法识别',
      ],
    ],
    [
      'sees that a row is missing',
      TABLE.replace(/2026-02-28.*\n/, ''),
      ['对账单的余额不连续，可能缺少流水：第4行：余额与上一行不连续', '第4行：余额与上一行不连续'],
    ],
    [
      'says which formats do not fit',
      '日,钱\n1,2\n',
      [
        '文件的列名与“某行网银、另一行”都不符，请检查银行文件格式',
        '文件的列名与“某行网银、另一行”都不符，请检查银行文件格式',
      ],
    ],
    ['refuses what is empty', '交易日期,收入金额,支出金额\n', ['对账单中没有流水', '对账单中没有流水']],
  ])('%s', async (_name, text, messages) => {
    expect(await refusal(text)).toEqual(messages);
  });
});

const MT940 = `{1:F01BKCHCNBJAXXX0000000000}{4:
:20:ST260228
:25:BKCHCNBJ/331000000002
:28C:59/1
:60F:C260227USD1000,00
:61:2602270227C500,NTRFNONREF//FT001
ACME
:86:/ORDP/NAME/ACME GMBH/REMI/INV 1
:61:2602280228D25,5NCHGREF9
:86:CHARGES
:61:2602280228RC100,00NTRFREF7
:62F:C260228USD1374,50
-}`;

const CAMT = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><Othr><Id>331000000002</Id></Othr></Id><Ccy>USD</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">1475.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Ntry><Amt Ccy="USD">500.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-02-27</Dt></BookgDt><AcctSvcrRef>FT001</AcctSvcrRef>
<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>ACME &amp; CO</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>INV 1</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="USD">25.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-02-28</Dt></BookgDt></Ntry>
<Ntry><Amt Ccy="USD">9.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts><BookgDt><Dt>2026-02-28</Dt></BookgDt></Ntry>
</Stmt></BkToCstmrStmt></Document>`;

const messageOf = (statements: string) =>
  `<Document><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr>${statements}</BkToCstmrStmt></Document>`;

/** A statement of a day of November with one entry. */
const dayOf = (day: number, [opening, closing]: readonly [string, string], amount: string) => {
  const balance = (code: string, value: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt>${value}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-${day}</Dt></Dt></Bal>`;
  return `<Stmt><Acct><Id><Othr><Id>1</Id></Othr></Id><Ccy>EUR</Ccy></Acct>${balance('OPBD', opening)}${balance('CLBD', closing)}
<Ntry><Amt>${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-${day}</Dt></BookgDt></Ntry></Stmt>`;
};
const TWO_DAYS = [dayOf(20, ['100', '110'], '10'), dayOf(21, ['110', '115'], '5')];

describe('a statement in a format of its own', () => {
  it('is read as MT940', async () => {
    const file = await read(MT940, 'a.sta');
    expect([file.account, file.currency, file.closing]).toEqual(['331000000002', 'USD', '1374.50']);
    expect(
      file.lines.map(({ date, amount, balance, bankRef, counterparty }) => [
        date,
        amount,
        balance,
        bankRef,
        counterparty,
      ]),
    ).toEqual([
      ['2026-02-27', '500', '1500', 'FT001', 'ACME GMBH'],
      ['2026-02-28', '-25.5', '1474.5', 'REF9', ''],
      ['2026-02-28', '-100.00', '1374.5', 'REF7', ''],
    ]);
  });

  it.each([
    ['2610311031C10', '2026-10-31'],
    ['2611021031C10', '2026-10-31'],
    ['2612310102C10', '2027-01-02'],
    ['2701021231C10', '2026-12-31'],
    ['261031C10', '2026-10-31'],
  ])('has the day on which the bank entered it: %s of MT940 is %s', async (movement, day) => {
    const text = `:20:A\n:25:1\n:60F:C261030USD100,00\n:61:${movement}\n:62F:C261031USD110,00\n`;
    expect((await read(text, 'a.sta')).lines).toMatchObject([{ date: day, balance: '110' }]);
  });

  it('is known by the value date too, by which statements of before have it', async () => {
    const { lines } = await read(MT940.replace('2602270227', '2603010227'), 'a.sta');
    const [stored] = withFingerprints(lines.map((line) => ({ ...line, date: '2026-03-01' })));
    const [line, next] = withFingerprints(lines);
    expect(line).toMatchObject({ date: '2026-02-27', formerFingerprint: stored?.fingerprint });
    expect(next?.formerFingerprint).toBe(next?.fingerprint);
    expect(daysTaken(lines)).toEqual({ from: '2026-02-27', to: '2026-03-01' });
  });

  it('is read as camt.053 of several days, whichever comes first', async () => {
    for (const text of [TWO_DAYS.join(''), TWO_DAYS.toReversed().join('')]) {
      const file = await read(messageOf(text), 'a.xml');
      expect([file.account, file.currency, file.opening, file.closing]).toEqual(['1', 'EUR', '100', '115']);
      expect(file.lines).toMatchObject([
        { date: '2026-11-20', amount: '10', balance: '110' },
        { date: '2026-11-21', amount: '5', balance: '115' },
      ]);
    }
  });

  it.each([
    [
      'a day whose sum is wrong, though the whole is right',
      [dayOf(20, ['100', '120'], '10'), dayOf(21, ['120', '125'], '15')],
      '对账单不完整：期初余额加明细不等于期末余额：应为 120，按明细为 110',
    ],
    [
      'a day that is missing',
      [dayOf(20, ['100', '110'], '10'), dayOf(22, ['115', '117'], '2')],
      '对账单不完整：期初余额加明细不等于期末余额：应为 117，按明细为 112',
    ],
    [
      'two accounts',
      [TWO_DAYS[0], TWO_DAYS[1]?.replace('<Id>1</Id>', '<Id>2</Id>')],
      '文件中有多个账户的对账单（1、2），请按账户分开导入',
    ],
    [
      'two currencies',
      [TWO_DAYS[0], TWO_DAYS[1]?.replace('<Ccy>EUR', '<Ccy>USD')],
      '文件中有多个币种的对账单（EUR、USD），请按币种分开导入',
    ],
  ])('of camt.053 is refused for %s', async (_name, days, message) => {
    expect((await refusal(messageOf(days.join('')), 'a.xml'))[0]).toBe(message);
  });

  it('is read as camt.053, without what is not booked yet', async () => {
    const file = await read(CAMT, 'a.xml');
    expect([file.account, file.currency, file.opening, file.closing]).toEqual([
      '331000000002',
      'USD',
      '1000.00',
      '1475.00',
    ]);
    expect(
      file.lines.map(({ date, amount, bankRef, counterparty, summary }) => [
        date,
        amount,
        bankRef,
        counterparty,
        summary,
      ]),
    ).toEqual([
      ['2026-02-27', '500.00', 'FT001', 'ACME & CO', 'INV 1'],
      ['2026-02-28', '-25.00', '', '', ''],
    ]);
  });

  it.each([
    [
      'a sum that is not its balance',
      MT940.replace('USD1374,50', 'USD1374,49'),
      '对账单不完整：期初余额加明细不等于期末余额：应为 1374.49，按明细为 1374.5',
    ],
    [
      'a movement that cannot be read',
      MT940.replace('2602280228D25,5', '2602300228D25,5'),
      '对账单有 1 行无法读取：第9行：流水“2602300228D25,5NCHGREF9”无法识别',
    ],
    ['XML that breaks off', CAMT.slice(0, 700), 'camt.053 文件已损坏，无法读取'],
    [
      'XML with a document type',
      CAMT.replace('<Document', '<!DOCTYPE a [<!ENTITY b "c">]><Document'),
      'camt.053 文件已损坏，无法读取',
    ],
  ])('is refused for %s', async (_name, text, message) => {
    expect((await refusal(text, 'a.txt'))[0]).toBe(message);
  });
});

describe('a file of more than a statement takes', () => {
  const movements = (line: string) => line.repeat(6_001);
  const tooLong = '对账单超过 3000 行，请按日期拆分后导入';

  it.each([
    ['a table without its titles', `${movements('a\n')}"`, 'a.csv'],
    ['a table', `${TABLE}${movements('2026-03-02,1.00,,,,,\n')}"`, 'a.csv'],
    ['MT940', `${MT940.slice(0, 120)}\n${movements(':61:2602270227C5,NTRFNONREF\n')}:62F:?`, 'a.sta'],
    ['empty rows of MT940', `${MT940}${'\n'.repeat(120_000)}\n:62F:?`, 'a.sta'],
    ['camt.053', CAMT.replace(/<Ntry>.*$/s, `${movements('<Ntry></Ntry>')}</broken>`), 'a.xml'],
  ])('is read no further: %s', async (_name, text, name) => {
    // What stands at its end would be refused otherwise.
    expect((await refusal(text, name))[0]).toBe(tooLong);
  });

  it('is not one with many empty rows', async () => {
    const file = await read(TABLE.replace('合计', `${',,,\n'.repeat(20_000)}合计`));
    expect(file.lines).toHaveLength(3);
  });
});

describe('a thread of its own', () => {
  const WIDE = { heapMb: 256, timeMs: 60_000 };
  const aside = (text: string, name: string, limits = WIDE) =>
    readBankFileAside('anna', { bytes: Buffer.from(text), name }, [FORMAT], limits);

  it('reads the same, and refuses in the same words', async () => {
    expect(await aside(TABLE, '对账单.csv')).toEqual(await read(TABLE));
    const broken = TABLE.replace('2026-02-28', '2026-02-30').replace('"1,000.00",,', '一千,,');
    expect(await refusalOf(aside(broken, '对账单.csv'))).toEqual(await refusal(broken));
    await expect(aside('', '对账单.csv')).rejects.toMatchObject({
      code: 'IMPORT_FAULT',
      message: '文件是空的',
    });
  });

  it('is ended with a file that takes too long or too much', async () => {
    const slow = aside(MT940, 'a.sta', { ...WIDE, timeMs: 1 });
    expect(await refusalOf(slow)).toContain('对账单过于复杂，读取超时，请按日期拆分后导入');
    const large = CAMT.replace(/<Ntry>.*$/s, '<Ntry>'.repeat(1_000_000));
    const reading = aside(large, 'a.xml', { ...WIDE, heapMb: 16 });
    expect(await refusalOf(reading)).toContain('对账单内容过大，无法读取，请按日期拆分后导入');
  });

  it('is one of two that a person has at once', async () => {
    const three = [1, 2, 3].map(() =>
      aside(TABLE, '对账单.csv').then(
        () => '读了',
        ({ message }: Error) => message,
      ),
    );
    expect(await Promise.all(three)).toEqual(['读了', '读了', '已有对账单正在读取，请稍后再试']);
  });
});

it.each([
  ['2026-2-9', '2026-02-09'],
  ['20260228 10:00', '2026-02-28'],
  ['2026年2月9日', '2026-02-09'],
  ['2024-02-29', '2024-02-29'],
  ['2026-02-29', null],
  ['45000', null],
])('the day %s is %s', (text, day) => {
  expect(readDay(text)).toBe(day);
});

it.each([
  ['￥1，234.50', '1234.50'],
  ['(12.3)', '-12.3'],
  ['+5', '5'],
  ['.5', '0.5'],
  ['', null],
  ['--', null],
  ['1.234', undefined],
  ['12a', undefined],
  ['12,50', undefined],
])('the amount %s is %s', (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});

describe('matching', () => {
  const line = (id: string, date: string, amount: string, bankRef = '') => ({ id, date, amount, bankRef });

  it('goes by the number of the bank, then by the nearest day, and uses each entry once', () => {
    expect(
      matchEntries(
        [
          line('a', '2026-02-01', '10', 'R1'),
          line('b', '2026-02-01', '10.00'),
          line('c', '2026-02-05', '10'),
          line('d', '2026-02-01', '-3'),
        ],
        [
          line('x', '2026-02-02', '10.00'),
          line('y', '2026-02-09', '10', 'R1'),
          line('z', '2026-02-20', '-3'),
        ],
      ),
    ).toEqual([
      { line: 'a', entry: 'y', by: 'ref' },
      { line: 'b', entry: 'x', by: 'amount' },
    ]);
  });

  it('leaves to people what may be either of two', () => {
    const entries = [line('x', '2026-02-01', '10'), line('y', '2026-02-01', '10')];
    expect(matchEntries([line('a', '2026-02-01', '10')], entries)).toEqual([]);
    expect(
      matchEntries([line('a', '2026-02-01', '10'), line('b', '2026-02-01', '10')], entries),
    ).toHaveLength(2);
  });
});
