import { SaxesParser } from 'saxes';
import { addDecimals } from '#engine/values/decimal.ts';
import {
  type BankFile,
  bankFileFault,
  type FileFault,
  MAX_READ,
  negated,
  readAmount,
  readDay,
  refuseOtherSum,
  type StatementLine,
  tooLong,
} from './bank-file.ts';

/** Whether a text is an ISO 20022 statement (camt.053, any version). */
export function isCamt(text: string): boolean {
  return /<(?:\w+:)?BkToCstmrStmt[\s>]/.test(text.slice(0, 4000));
}

type Values = Map<string, string>;

/**
 * The booked entries of an ISO 20022 message: of one account, in one statement or in several, one for each day. An entry
 * is one line, however many transactions it sums up.
 * @throws RULE_REFUSED for too many entries, several accounts and sums that do not fit, Error of the parser for what is
 * no XML
 */
export function readCamt(text: string): BankFile {
  const statements: Found[] = [];
  let count = 0;
  const path: string[] = [];
  let values: { readonly at: number; readonly kept: Values; readonly row: number } | null = null;
  const parser = new SaxesParser();
  parser.on('doctype', () => parser.fail('doctype'));
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    path.push(name.replace(/^.*:/, ''));
    const here = path.at(-1);
    if (here === 'Stmt' && values === null) statements.push({ head: new Map(), balances: [], entries: [] });
    if ((here === 'Ntry' || here === 'Bal') && values === null)
      values = { at: path.length, kept: new Map(), row: parser.line };
  });
  parser.on('text', (content) => {
    if (content.trim() === '') return;
    const kept = values?.kept ?? statements.at(-1)?.head ?? new Map<string, string>();
    const key = path.slice(values?.at ?? 0).join('/');
    kept.set(key, kept.has(key) ? `${kept.get(key) ?? ''} ${content.trim()}` : content.trim());
  });
  parser.on('closetag', () => {
    if (values !== null && values.at === path.length) {
      if (path.at(-1) === 'Ntry') statements.at(-1)?.entries.push(values);
      else statements.at(-1)?.balances.push(values.kept);
      count += 1;
      if (count > MAX_READ) throw tooLong();
      values = null;
    }
    path.pop();
  });
  parser.write(text).close();
  return together(statements.map(told));
}

interface Found {
  readonly head: Values;
  readonly balances: Values[];
  readonly entries: { readonly kept: Values; readonly row: number }[];
}

/** Statements of one account one after the other, the earliest first. */
function together(statements: readonly Told[]): BankFile {
  const inOrder = statements.every(({ closedOn }) => closedOn !== '')
    ? statements.toSorted((a, b) => (a.closedOn < b.closedOn ? -1 : a.closedOn > b.closedOn ? 1 : 0))
    : statements;
  let running: string | null = null;
  const lines: StatementLine[] = [];
  for (const statement of inOrder) {
    if (statement.faults.length === 0) refuseOtherSum(statement);
    running = statement.opening ?? running;
    for (const line of statement.lines) {
      running = running === null ? null : addDecimals(running, line.amount);
      lines.push({ ...line, balance: running });
    }
  }
  return {
    account: onlyOne(inOrder, 'account', '账户'),
    currency: onlyOne(inOrder, 'currency', '币种'),
    opening: inOrder[0]?.opening ?? null,
    closing: inOrder.at(-1)?.closing ?? null,
    lines,
    faults: inOrder.flatMap(({ faults }) => faults),
  };
}

function onlyOne(statements: readonly Told[], name: 'account' | 'currency', title: string): string | null {
  const [first, ...others] = [...new Set(statements.flatMap((statement) => statement[name] ?? []))];
  if (others.length > 0)
    throw bankFileFault(
      `文件中有多个${title}的对账单（${[first, ...others].join('、')}），请按${title}分开导入`,
    );
  return first ?? null;
}

/** A statement as it stands, its lines still without balances. */
interface Told extends BankFile {
  /** The day of its closing balance, empty where it does not say. */
  readonly closedOn: string;
}

function told({ head, balances, entries }: Found): Told {
  const faults: FileFault[] = [];
  const lines: StatementLine[] = [];
  for (const { kept, row } of entries) {
    const status = firstOf(kept, ['Sts/Cd', 'Sts']);
    if (status !== '' && status !== 'BOOK') continue;
    const line = readEntry(kept, row);
    if (line === null) {
      faults.push({ row, message: '流水缺少金额、收支方向或日期' });
      continue;
    }
    lines.push(line);
  }
  const opening = balanceOf(balances, ['OPBD', 'PRCD']);
  const closing = balanceOf(balances, ['CLBD']);
  const account = [...head].find(([key]) => /Stmt\/Acct\/Id\/(IBAN|Othr\/Id)$/.test(key))?.[1] ?? null;
  const currency = [...head].find(([key]) => key.endsWith('Stmt/Acct/Ccy'))?.[1] ?? null;
  return {
    account,
    currency,
    opening: amountIn(opening),
    closing: amountIn(closing),
    closedOn: dayIn(closing),
    lines,
    faults,
  };
}

function balanceOf(balances: readonly Values[], codes: readonly string[]): Values | null {
  for (const code of codes)
    for (const balance of balances) if (balance.get('Tp/CdOrPrtry/Cd') === code) return balance;
  return null;
}

function amountIn(balance: Values | null): string | null {
  return balance === null ? null : signedAmount(balance);
}

function dayIn(balance: Values | null): string {
  return balance === null ? '' : (readDay(firstOf(balance, ['Dt/Dt', 'Dt/DtTm'])) ?? '');
}

function signedAmount(kept: Values): string | null {
  const amount = readAmount(kept.get('Amt') ?? '') ?? null;
  const mark = kept.get('CdtDbtInd');
  if (amount === null || (mark !== 'CRDT' && mark !== 'DBIT')) return null;
  return mark === 'CRDT' ? amount : negated(amount);
}

function readEntry(kept: Values, row: number): StatementLine | null {
  const amount = signedAmount(kept);
  const date = readDay(firstOf(kept, ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm']));
  if (amount === null || date === null) return null;
  const other = amount.startsWith('-') ? 'Cdtr' : 'Dbtr';
  const details = 'NtryDtls/TxDtls';
  const parties = `${details}/RltdPties`;
  return {
    row,
    date,
    amount,
    balance: null,
    counterparty: firstOf(kept, [`${parties}/${other}/Nm`, `${parties}/${other}/Pty/Nm`]).slice(0, 140),
    counterAccount: firstOf(kept, [
      `${parties}/${other}Acct/Id/IBAN`,
      `${parties}/${other}Acct/Id/Othr/Id`,
    ]).slice(0, 60),
    bankRef: firstOf(kept, [
      'AcctSvcrRef',
      `${details}/Refs/AcctSvcrRef`,
      `${details}/Refs/EndToEndId`,
      'NtryRef',
    ]).slice(0, 60),
    summary: firstOf(kept, [`${details}/RmtInf/Ustrd`, 'AddtlNtryInf', `${details}/AddtlTxInf`]).slice(
      0,
      200,
    ),
  };
}

function firstOf(kept: Values, names: readonly string[]): string {
  for (const name of names) {
    const value = kept.get(name);
    if (value !== undefined && value !== 'NOTPROVIDED') return value;
  }
  return '';
}
