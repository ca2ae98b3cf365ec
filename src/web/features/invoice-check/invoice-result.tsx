import { moneyText } from '#engine/values/display.ts';
import { companyTime } from '#engine/values/dates.ts';
import type { VerifiedInvoice } from '#contract/invoice-check.ts';

export interface InvoiceResultProps {
  readonly verification: VerifiedInvoice;
  readonly typeName: string;
}

/** A verified invoice as its paper shows it, ready to be printed. */
export function InvoiceResult({ verification, typeName }: InvoiceResultProps) {
  const { data, provider } = verification;
  const facts: readonly (readonly [label: string, value: string])[] = [
    ['发票类型', typeName],
    ['发票代码', data.invoice_code || '—'],
    ['发票号码', data.invoice_number],
    ['开票日期', data.billing_date],
    ['购买方', data.purchaser_name || '—'],
    ['购买方税号', data.purchaser_tax_no || '—'],
    ['销售方', data.sales_name || '—'],
    ['销售方税号', data.sales_tax_no || '—'],
  ];
  return (
    <section className="invoice-result" aria-labelledby="invoice-result-title">
      <p className="invoice-paper-title">发票查验结果</p>
      <header>
        <h2 id="invoice-result-title">查验结果</h2>
        <p>
          查验时间 {companyTime(verification.checked_at)}，第 <b>{data.first_check}</b> 次查验
          {data.last_check_time !== null && <>，上次查验 {companyTime(data.last_check_time)}</>}
        </p>
        <button type="button" className="invoice-print" onClick={() => window.print()}>
          打印
        </button>
      </header>
      <p className={provider.isLocal ? 'invoice-source is-local' : 'invoice-source'}>
        {provider.isLocal
          ? '本次与本公司已登记的发票核对，没有向税务机关查验。'
          : `查验来源：${provider.name}`}
      </p>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {data.invoice_list.length === 0 ? (
        <p className="invoice-no-lines">
          {provider.isLocal ? '登记时没有录入发票明细。' : '查验服务没有提供发票明细。'}
        </p>
      ) : (
        <div className="invoice-scroll">
          <table>
            <thead>
              <tr>
                <th>序号</th>
                <th>货物或应税劳务名称</th>
                <th>规格型号</th>
                <th>单位</th>
                <th className="is-number">数量</th>
                <th className="is-number">单价</th>
                <th className="is-number">金额</th>
                <th className="is-number">税率</th>
                <th className="is-number">税额</th>
              </tr>
            </thead>
            <tbody>
              {data.invoice_list.map((line) => (
                <tr key={line.row_no}>
                  <td>{line.row_no}</td>
                  <td>{line.commodity_name}</td>
                  <td>{line.specification_model}</td>
                  <td>{line.unit}</td>
                  <td className="is-number">{line.quantity}</td>
                  <td className="is-number">{line.unit_price}</td>
                  <td className="is-number">{line.amount}</td>
                  <td className="is-number">{line.tax_rate}</td>
                  <td className="is-number">{line.tax}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="invoice-total">
        <span>价税合计（大写）{data.amount_tax_c_n}</span>
        <span>（小写）{moneyText(data.amount_tax, { symbol: '¥' })}</span>
      </p>
      {data.remarks !== '' && <p className="invoice-remarks">备注：{data.remarks}</p>}
    </section>
  );
}
