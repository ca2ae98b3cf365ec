import { ADDRESS } from '#web/data/addresses.ts';
import { type FormEvent, useState } from 'react';
import { callApi, HttpFault } from '#web/data/http.ts';
import { roleNameOf, storedPerson } from '#web/data/stored-person.ts';
import { OutsideCard, OutsideNote } from '#web/features/outside/outside-card.tsx';
import { OutsideQuestion } from '#web/features/outside/outside-question.tsx';
import { RegisterField } from '#web/features/register/register-field.tsx';
import './supplier-switch.css';

/** The term in a role's name that marks trade management (spec section 6). The call itself asks for the role's permission. */
const TRADE_MANAGEMENT = '贸管';
const EMPTY = { keep: '', replaced: '' };
type Name = keyof typeof EMPTY;
type Texts = Readonly<Partial<Record<Name, string>>>;

const FIELDS: readonly { readonly name: Name; readonly label: string; readonly missing: string }[] = [
  { name: 'keep', label: '保留供应商编码', missing: '保留供应商编码不能为空' },
  { name: 'replaced', label: '被替换供应商编码', missing: '被替换供应商编码不能为空' },
];
const CODE_LENGTH = 30;

/** Supplier switch (spec section 2.6): the duplicate's documents go over to the supplier that is kept. */
export function SupplierSwitchPage() {
  const person = storedPerson();
  const isMg = person !== null && roleNameOf(person).includes(TRADE_MANAGEMENT);
  const [values, setValues] = useState(EMPTY);
  const [faults, setFaults] = useState<Texts>({});
  const [names, setNames] = useState<Texts>({});
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ readonly text: string; readonly isGood: boolean } | null>(null);

  const change = (name: Name, value: string) => {
    setValues({ ...values, [name]: value });
    setFaults({ ...faults, [name]: undefined });
    setNames({ ...names, [name]: undefined });
    setAsking(false);
    setSaid(null);
  };
  const tellName = async (name: Name) => {
    const code = values[name].trim();
    if (code === '') return;
    const found = await supplierName(code).catch(() => null);
    if (found !== null) setNames((current) => ({ ...current, [name]: found }));
  };
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(values);
    setFaults(found);
    setSaid(null);
    const [first] = Object.keys(found);
    if (first === undefined) setAsking(true);
    else document.getElementById(first)?.focus();
  };
  const replace = async () => {
    setBusy(true);
    try {
      await callApi('POST /relation/updateCustidBySellerCustid', {
        body: { sellerCustid: values.keep.trim(), agcustid: values.replaced.trim() },
      });
      setSaid({ text: '替换成功!', isGood: true });
      setValues(EMPTY);
      setNames({});
    } catch (error) {
      const found = error instanceof HttpFault ? besideFields(error.problems) : {};
      setFaults(found);
      if (Object.keys(found).length === 0) {
        const text = error instanceof HttpFault ? error.message : '替换没有完成，请重试';
        setSaid({ text, isGood: false });
      }
    }
    setAsking(false);
    setBusy(false);
  };

  return (
    <OutsideCard
      title="供应商切换"
      back={{
        href: person === null ? `${ADDRESS.login}?back=${ADDRESS.supplierSwitch}` : ADDRESS.home,
        text: person === null ? '去登录' : '返回系统',
      }}
    >
      {!isMg && <NotAllowed isSignedIn={person !== null} />}
      <form className="register-form" noValidate onSubmit={ask}>
        {FIELDS.map(({ name, label }) => (
          <RegisterField
            key={name}
            id={name}
            label={label}
            value={values[name]}
            fault={faults[name]}
            isDisabled={!isMg || isBusy}
            maxLength={CODE_LENGTH}
            {...(names[name] === undefined ? {} : { hint: names[name] })}
            onChange={(value) => change(name, value)}
            onLeave={() => void tellName(name)}
          />
        ))}
        {isAsking ? (
          <OutsideQuestion
            className="switch-question"
            label="确认替换"
            returnTo="switch"
            onCancel={() => setAsking(false)}
          >
            <p>
              {values.replaced.trim()} {names.replaced} 的全部单据、商品与关联关系将改为 {values.keep.trim()}{' '}
              {names.keep}，随后 {values.replaced.trim()} 停用。替换后不能撤销。
            </p>
            <button
              type="button"
              className="register-submit"
              disabled={isBusy}
              onClick={() => void replace()}
            >
              {isBusy ? '正在替换…' : '确认替换'}
            </button>
            <button
              type="button"
              className="switch-cancel"
              disabled={isBusy}
              onClick={() => setAsking(false)}
            >
              取消
            </button>
          </OutsideQuestion>
        ) : (
          <button type="submit" id="switch" className="register-submit" disabled={!isMg}>
            替换
          </button>
        )}
      </form>
      {said !== null && <OutsideNote kind={said.isGood ? 'done' : 'fault'}>{said.text}</OutsideNote>}
    </OutsideCard>
  );
}

function NotAllowed({ isSignedIn }: { readonly isSignedIn: boolean }) {
  return (
    <OutsideNote kind="note">
      {isSignedIn ? '只有贸管角色可以切换供应商。' : '请先以贸管角色登录，再切换供应商。'}
    </OutsideNote>
  );
}

function faultsOf(values: typeof EMPTY): Texts {
  const missing = FIELDS.filter(({ name }) => values[name].trim() === '');
  if (missing.length > 0) return Object.fromEntries(missing.map((field) => [field.name, field.missing]));
  return values.keep.trim() === values.replaced.trim()
    ? { replaced: '被替换供应商不能与保留供应商相同' }
    : {};
}

/** What the server refused, by the form's own names. */
function besideFields(problems: HttpFault['problems']): Texts {
  const names = new Map<string, Name>([
    ['sellerCustid', 'keep'],
    ['agcustid', 'replaced'],
  ]);
  return Object.fromEntries(
    problems.flatMap(({ path, message }) => {
      const name = names.get(path);
      return name === undefined ? [] : [[name, message]];
    }),
  );
}

/** The name that goes with a code, so that nobody merges what he did not mean; null when the role may not see it. */
async function supplierName(code: string): Promise<string | null> {
  const { records } = await callApi('POST /data/:resource/query', {
    params: { resource: 'supplier' },
    body: { pageSize: 1, filters: { supplier_no: { eq: code } }, columns: ['name'] },
  });
  const name = records[0]?.['name'];
  return typeof name === 'string' ? name : null;
}
