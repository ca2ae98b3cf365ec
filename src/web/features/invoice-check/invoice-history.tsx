import { useEffect, useState } from 'react';
import { companyTime } from '#engine/values/dates.ts';
import { loadHistory, type PastCheck } from './invoice-calls.ts';

/** The company's last verifications, for who may see them; nothing for anybody else. Loaded anew when `stamp` changes. */
export function InvoiceHistory({ stamp }: { readonly stamp: number }) {
  const [checks, setChecks] = useState<readonly PastCheck[] | null>(null);
  useEffect(() => {
    let isOpen = true;
    void loadHistory().then((found) => isOpen && setChecks(found));
    return () => {
      isOpen = false;
    };
  }, [stamp]);
  if (checks === null) return null;
  return (
    <section className="invoice-history" aria-labelledby="invoice-history-title">
      <h2 id="invoice-history-title">查验记录</h2>
      {checks.length === 0 ? (
        <p className="invoice-no-lines">还没有查验过发票。</p>
      ) : (
        <div className="invoice-scroll">
          <table>
            <thead>
              <tr>
                <th>查验时间</th>
                <th>发票代码</th>
                <th>发票号码</th>
                <th>开票日期</th>
                <th>销售方</th>
                <th className="is-number">价税合计</th>
                <th>结果</th>
                <th>查验人</th>
              </tr>
            </thead>
            <tbody>
              {checks.map((check) => (
                <tr key={check.id}>
                  <td>{companyTime(check.created_at)}</td>
                  <td>{check.invoice_code}</td>
                  <td>{check.invoice_number}</td>
                  <td>{check.billing_date}</td>
                  <td>{check.sales_name}</td>
                  <td className="is-number">{check.amount_tax}</td>
                  <td className={check.outcome === 'verified' ? 'is-right' : 'is-wrong'}>
                    {check.outcome === 'verified' ? '一致' : '查无此票'}
                  </td>
                  <td>{check.checked_by}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
