import { ADDRESS } from '#web/data/addresses.ts';
import { type FormEvent, useEffect, useState } from 'react';
import {
  asksFor,
  type InvoiceQuery,
  invoiceQueryProblems,
  normaliseInvoiceQuery,
} from '#trade/tax-invoice.ts';
import { companyToday } from '#engine/values/dates.ts';
import { HttpFault } from '#web/data/http.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { OutsideCard, OutsideNote } from '#web/features/outside/outside-card.tsx';
import { RegisterField } from '#web/features/register/register-field.tsx';
import type { DictionaryItem, VerifiedInvoice } from '#contract/invoice-check.ts';
import { loadInvoiceTypes, searchInvoice } from './invoice-calls.ts';
import { InvoiceHistory } from './invoice-history.tsx';
import { InvoiceResult } from './invoice-result.tsx';
import './invoice-check.css';

type Faults = Readonly<Partial<Record<keyof InvoiceQuery, string>>>;

const EMPTY: InvoiceQuery = {
  invoiceType: '',
  purchaserTaxNo: '',
  invoiceCode: '',
  invoiceNumber: '',
  billingDate: '',
  totalAmount: '',
  amountTax: '',
  checkCode: '',
};

const FIELDS: readonly {
  readonly name: keyof InvoiceQuery;
  readonly label: string;
  readonly hint?: string;
  readonly maxLength: number;
  readonly isNumber?: boolean;
}[] = [
  { name: 'purchaserTaxNo', label: '受票方税号', hint: '发票上购买方的纳税人识别号', maxLength: 20 },
  { name: 'invoiceCode', label: '发票代码', maxLength: 12, isNumber: true },
  { name: 'invoiceNumber', label: '发票号码', maxLength: 20, isNumber: true },
  { name: 'billingDate', label: '开票日期', hint: '如 2026-01-31，也可输入 20260131', maxLength: 10 },
  { name: 'totalAmount', label: '不含税金额', hint: '发票上的金额合计，不含税', maxLength: 20 },
  { name: 'amountTax', label: '价税合计', maxLength: 20 },
  { name: 'checkCode', label: '校验码后6位', maxLength: 6, isNumber: true },
];

/** VerifiedInvoice of VAT invoices (spec section 2.5): the fields follow the type; an address may bring their values along. */
export function InvoiceCheckPage() {
  const [types, setTypes] = useState<readonly DictionaryItem[]>([]);
  const [form, setForm] = useState<InvoiceQuery>(queryOfAddress);
  const [faults, setFaults] = useState<Faults>({});
  const [said, setSaid] = useState<{ readonly text: string; readonly isGood: boolean } | null>(null);
  const [found, setFound] = useState<VerifiedInvoice | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [checks, setChecks] = useState(0);
  const person = storedPerson();
  useEffect(() => {
    loadInvoiceTypes().then(setTypes, () => setSaid({ text: '发票类型没有加载，请刷新页面', isGood: false }));
  }, []);

  const change = (name: keyof InvoiceQuery, value: string) => {
    // Another type asks other things: what was typed for the last one would mislead (spec section 4).
    const cleared =
      name === 'invoiceType' ? { invoiceCode: '', totalAmount: '', amountTax: '', checkCode: '' } : {};
    setForm({ ...form, ...cleared, [name]: value });
    setFaults(name === 'invoiceType' ? {} : { ...faults, [name]: undefined });
    setSaid(null);
  };
  const refuse = (problems: readonly { readonly path: string; readonly message: string }[]) => {
    setFaults(Object.fromEntries(problems.map(({ path, message }) => [path, message])));
    const [first] = problems;
    if (first !== undefined) document.getElementById(first.path)?.focus();
  };
  const search = async (event: FormEvent) => {
    event.preventDefault();
    const query = normaliseInvoiceQuery(form);
    const problems = invoiceQueryProblems(query, companyToday(new Date()));
    refuse(problems);
    setSaid(null);
    if (problems.length > 0) return;
    setBusy(true);
    setFound(null);
    try {
      setFound(await searchInvoice(query));
      setSaid({ text: '查验成功!', isGood: true });
    } catch (error) {
      const fault = error instanceof HttpFault ? error : null;
      refuse(fault?.problems ?? []);
      setSaid({ text: fault?.message ?? '查验没有完成，请重试', isGood: false });
    }
    setBusy(false);
    setChecks((count) => count + 1);
  };

  return (
    <OutsideCard
      title="发票查验"
      width="wide"
      {...(person === null ? {} : { back: { href: ADDRESS.home, text: '返回系统' } })}
    >
      <form className="invoice-form" noValidate onSubmit={(event) => void search(event)}>
        <div className="register-field">
          <label htmlFor="invoiceType">发票类型</label>
          <div className="register-input">
            <select
              id="invoiceType"
              value={form.invoiceType}
              required
              aria-invalid={faults.invoiceType !== undefined}
              aria-describedby="invoiceType-note"
              onChange={(event) => change('invoiceType', event.target.value)}
            >
              <option value="">请选择</option>
              {types.map(({ value, label }) => (
                <option key={value} value={value}>
                  {value} {label}
                </option>
              ))}
            </select>
          </div>
          <small id="invoiceType-note" role={faults.invoiceType === undefined ? undefined : 'alert'}>
            {faults.invoiceType}
          </small>
        </div>
        {FIELDS.filter(({ name }) => isShown(form.invoiceType, name)).map((field) => (
          <RegisterField
            key={field.name}
            id={field.name}
            label={field.label}
            value={form[field.name]}
            fault={faults[field.name]}
            maxLength={field.maxLength}
            {...(field.isNumber === true ? { inputMode: 'numeric' as const } : {})}
            {...(field.hint === undefined ? {} : { hint: field.hint })}
            onChange={(value) => change(field.name, value)}
          />
        ))}
        <div className="invoice-actions">
          <button type="submit" className="register-submit" disabled={isBusy}>
            {isBusy ? '正在查验…' : '查验'}
          </button>
          <button
            type="button"
            className="invoice-reset"
            disabled={isBusy}
            onClick={() => {
              setForm(EMPTY);
              setFaults({});
              setSaid(null);
              setFound(null);
            }}
          >
            清空
          </button>
        </div>
      </form>
      {said !== null && <OutsideNote kind={said.isGood ? 'done' : 'fault'}>{said.text}</OutsideNote>}
      {found !== null && (
        <InvoiceResult
          verification={found}
          typeName={
            types.find(({ value }) => value === found.data.invoice_type)?.label ?? found.data.invoice_type
          }
        />
      )}
      {person !== null && <InvoiceHistory stamp={checks} />}
    </OutsideCard>
  );
}

/** Before a type is chosen, what every type asks. */
function isShown(type: string, name: keyof InvoiceQuery): boolean {
  if (type !== '') return asksFor(type, name);
  return name === 'purchaserTaxNo' || name === 'invoiceNumber' || name === 'billingDate';
}

function queryOfAddress(): InvoiceQuery {
  const given = new URLSearchParams(location.search);
  const values = Object.keys(EMPTY).map((name) => [name, given.get(name) ?? '']);
  return { ...EMPTY, ...Object.fromEntries(values) };
}
