import { SaxesParser } from 'saxes';
import { addDecimals } from '#engine/values/decimal.ts';
import {
  type BankFile,
  type FileFault,
  MAX_READ,
  negated,
  readAmount,
  readDay,
  type StatementLine,
  tooLong,
} from './bank-file.ts';

/** Whether a text is an ISO 20022 statement (camt.053, any version). */
export function isCamt(text: string): boolean {
  return /<(?:\w+:)?BkToCstmrStmt[\s>]/.test(text.slice(0, 4000));
}

type Values = Map<string, string>;

/**
 * The booked entries of an ISO 20022 statement. An entry is one line, however many transactions it sums up.
 * @throws RULE_REFUSED for too many entries, Error of the parser for what is no XML
 */
export function readCamt(text: string): BankFile {
  const found: Found = { head: new Map(), balances: [], entries: [] };
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
    if ((here === 'Ntry' || here === 'Bal') && values === null)
      values = { at: path.length, kept: new Map(), row: parser.line };
  });
  parser.on('text', (content) => {
    if (content.trim() === '') return;
    const kept = values?.kept ?? found.head;
    const key = path.slice(values?.at ?? 0).join('/');
    kept.set(key, kept.has(key) ? `${kept.get(key) ?? ''} ${content.trim()}` : content.trim());
  });
  parser.on('closetag', () => {
    if (values !== null && values.at === path.length) {
      if (path.at(-1) === 'Ntry') found.entries.push(values);
      else found.balances.push(values.kept);
      if (found.entries.length + found.balances.length > MAX_READ) throw tooLong();
      values = null;
    }
    path.pop();
  });
  parser.write(text).close();
  return told(found);
}

interface Found {
  readonly head: Values;
  readonly balances: Values[];
  readonly entries: { readonly kept: Values; readonly row: number }[];
}

function told({ head, balances, entries }: Found): BankFile {
  const faults: FileFault[] = [];
  const opening = balanceOf(balances, ['OPBD', 'PRCD']);
  const lines: StatementLine[] = [];
  let running = opening;
  for (const { kept, row } of entries) {
    const status = firstOf(kept, ['Sts/Cd', 'Sts']);
    if (status !== '' && status !== 'BOOK') continue;
    const line = readEntry(kept, row);
    if (line === null) {
      faults.push({ row, message: '流水缺少金额、收支方向或日期' });
      continue;
    }
    running = running === null ? null : addDecimals(running, line.amount);
    lines.push({ ...line, balance: running });
  }
  const account = [...head].find(([key]) => /Stmt\/Acct\/Id\/(IBAN|Othr\/Id)$/.test(key))?.[1] ?? null;
  const currency = [...head].find(([key]) => key.endsWith('Stmt/Acct/Ccy'))?.[1] ?? null;
  return { account, currency, opening, closing: balanceOf(balances, ['CLBD']), lines, faults };
}

function balanceOf(balances: readonly Values[], codes: readonly string[]): string | null {
  for (const code of codes)
    for (const balance of balances) if (balance.get('Tp/CdOrPrtry/Cd') === code) return signedAmount(balance);
  return null;
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
