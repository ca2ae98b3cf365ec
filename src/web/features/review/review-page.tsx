import { ADDRESS } from '#web/data/addresses.ts';
import { type FormEvent, useEffect, useState } from 'react';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import type { ReviewedDocument } from '#contract/review.ts';
import { companyTime } from '#engine/values/dates.ts';
import { callApi, HttpFault } from '#web/data/http.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { OutsideCard, OutsideNote } from '#web/features/outside/outside-card.tsx';
import { OutsideQuestion } from '#web/features/outside/outside-question.tsx';
import { currencyOf, labelsOf } from '#web/fields/field-text.ts';
import { FIELD_VIEWS } from '#web/fields/field-views.ts';
import { faultText } from '#web/data/show-fault.ts';
import { ReviewInput } from './review-input.tsx';
import { reviewedFields } from './reviewed-fields.ts';
import './review.css';

type Action = 'approve' | 'reject';

/** What the page says at its end. */
const OUTCOMES = {
  passedOn: '已同意，单据已转下一级审核。',
  approved: '已同意，审核结果已生效。',
  rejected: '已驳回，提交人会收到通知。',
} as const;
type Outcome = keyof typeof OUTCOMES;
type Texts = Readonly<Record<string, string>>;

/** Review of one application by the link that its approver got, without a login (spec section 2.1). */
export function ReviewPage() {
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const [document_, setDocument] = useState<ReviewedDocument | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState<Outcome | null>(null);
  useEffect(() => {
    if (token === '') return;
    callApi('GET /review', { query: { token } }).then(setDocument, (error: unknown) =>
      setFault(faultText(error, '页面没有加载，请刷新')),
    );
  }, [token]);
  const leave = (message: string) => {
    setDocument(null);
    setFault(message);
  };
  const isSignedIn = storedPerson() !== null;
  return (
    <OutsideCard
      title="授信申请审核"
      {...(document_ !== null && done === null ? { width: 'wide' as const } : {})}
      back={
        isSignedIn
          ? { href: ADDRESS.inbox, text: '去审核列表' }
          : { href: `${ADDRESS.login}?back=${ADDRESS.inbox}`, text: '登录后审核' }
      }
    >
      {token === '' && (
        <OutsideNote kind="note">请从审批短信中的链接打开本页，或登录系统后在“审核”中处理。</OutsideNote>
      )}
      {fault !== null && <OutsideNote kind="fault">{fault}</OutsideNote>}
      {token !== '' && fault === null && document_ === null && <p className="review-hint">正在加载…</p>}
      {done !== null && <OutsideNote kind="done">{OUTCOMES[done]}</OutsideNote>}
      {document_ !== null && done === null && (
        <Review token={token} shown={document_} onDone={setDone} onGone={leave} />
      )}
    </OutsideCard>
  );
}

interface ReviewProps {
  readonly token: string;
  readonly shown: ReviewedDocument;
  readonly onDone: (outcome: Outcome) => void;
  /** What is shown cannot be decided: somebody was faster, the document has changed, or the link is another person's. */
  readonly onGone: (message: string) => void;
}

function Review({ token, shown, onDone, onGone }: ReviewProps) {
  const [values, setValues] = useState<Texts>(() =>
    Object.fromEntries(shown.editable.map(({ name }) => [name, String(shown.record[name] ?? '')])),
  );
  const [opinion, setOpinion] = useState('');
  const [faults, setFaults] = useState<Texts>({});
  const [said, setSaid] = useState<string | null>(null);
  const [asked, setAsked] = useState<Action | null>(null);
  const [isBusy, setBusy] = useState(false);
  const ask = (action: Action) => {
    setSaid(null);
    setFaults(action === 'reject' && opinion.trim() === '' ? { opinion: '驳回须填写意见' } : {});
    if (action === 'approve' || opinion.trim() !== '') setAsked(action);
    else document.getElementById('opinion')?.focus();
  };
  const decide = async (event: FormEvent) => {
    event.preventDefault();
    if (asked === null) return;
    setBusy(true);
    try {
      const { isEnded } = await callApi('POST /review/decide', {
        body: {
          token,
          action: asked,
          version: shown.version,
          opinion: opinion.trim() || null,
          ...(asked === 'approve' && shown.editable.length > 0
            ? { fields: reviewedFields(shown.editable, values) }
            : {}),
        },
      });
      onDone(asked === 'reject' ? 'rejected' : isEnded ? 'approved' : 'passedOn');
    } catch (error) {
      const refusal = error instanceof HttpFault ? error : null;
      const problems = refusal?.problems ?? [];
      setFaults(Object.fromEntries(problems.map(({ path, message }) => [path, message])));
      setSaid(refusal?.message ?? '没有完成，请重试');
      setAsked(null);
      document.getElementById(problems[0]?.path ?? '')?.focus();
      if (refusal?.statusCode === 409 || refusal?.statusCode === 403) onGone(refusal.message);
    }
    setBusy(false);
  };
  return (
    <form noValidate onSubmit={(event) => void decide(event)}>
      <p className="review-head">
        <strong>
          {shown.title} {shown.number}
        </strong>
        <span>
          {shown.company}，{shown.submittedBy}
          {shown.submittedAt !== null && ` ${companyTime(shown.submittedAt)}`} 提交；{shown.approver}（
          {shown.level}）
        </span>
      </p>
      {shown.sections
        .filter((section) => section.fields.some(({ name }) => !isEmpty(shown.record[name])))
        .map((section) => (
          <section key={section.title} className="review-section" aria-label={section.title}>
            <h2>{section.title}</h2>
            <dl>
              {section.fields.map((field) => (
                <ShownField key={field.name} field={field} record={shown.record} />
              ))}
            </dl>
          </section>
        ))}
      {shown.editable.length > 0 && (
        <section className="review-section" aria-label="由您填写">
          <h2>由您填写</h2>
          <div className="review-inputs">
            {shown.editable.map((field) => (
              <ReviewInput
                key={field.name}
                field={field}
                value={values[field.name] ?? ''}
                fault={faults[field.name]}
                onChange={(value) => setValues({ ...values, [field.name]: value })}
              />
            ))}
          </div>
        </section>
      )}
      <div className="register-field review-opinion">
        <label htmlFor="opinion">审核意见</label>
        <textarea
          id="opinion"
          rows={3}
          maxLength={500}
          value={opinion}
          aria-invalid={faults['opinion'] !== undefined}
          aria-describedby="opinion-note"
          onChange={(event) => setOpinion(event.target.value)}
        />
        <small
          id="opinion-note"
          className={faults['opinion'] === undefined ? 'is-hint' : undefined}
          role={faults['opinion'] === undefined ? undefined : 'alert'}
        >
          {faults['opinion'] ?? '驳回时必填'}
        </small>
      </div>
      {said !== null && <OutsideNote kind="fault">{said}</OutsideNote>}
      {asked === null ? (
        <div className="review-actions">
          <button type="button" id="approve" className="register-submit" onClick={() => ask('approve')}>
            同意
          </button>
          <button type="button" id="reject" className="review-reject" onClick={() => ask('reject')}>
            驳回
          </button>
        </div>
      ) : (
        <OutsideQuestion
          className="review-actions"
          label="确认"
          returnTo={asked}
          onCancel={() => setAsked(null)}
        >
          <p>{asked === 'approve' ? '确定同意这份申请吗？' : '确定驳回这份申请吗？'}审核后链接失效。</p>
          <button type="submit" className="register-submit" disabled={isBusy}>
            {isBusy ? '正在提交…' : asked === 'approve' ? '确定同意' : '确定驳回'}
          </button>
          <button type="button" className="review-reject" disabled={isBusy} onClick={() => setAsked(null)}>
            取消
          </button>
        </OutsideQuestion>
      )}
    </form>
  );
}

function ShownField({ field, record }: { readonly field: Field; readonly record: ErpRecord }) {
  const { Detail } = FIELD_VIEWS[field.type];
  const value = record[field.name];
  return (
    <div className={field.type === 'textarea' ? 'is-wide' : undefined}>
      <dt>{field.title}</dt>
      <dd>
        {isEmpty(value) ? (
          '—'
        ) : field.type === 'attachment' ? (
          `${Array.isArray(value) ? value.length : 0} 个文件，登录后可查看`
        ) : (
          <Detail
            field={field}
            value={value}
            label={labelsOf(record)[field.name]}
            currency={currencyOf(field, record)}
          />
        )}
      </dd>
    </div>
  );
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
