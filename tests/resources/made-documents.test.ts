import { describe, expect, it } from 'vitest';
import { shippedDefinitions } from './shipped-definitions.ts';

/**
 * Table D of the domain's flows (2.9): from which document which is made. D32 (a line that is new or changed) and D36 (a
 * check at a provider) are named code; DECISIONS.md says why.
 */
const MADE: readonly (readonly [row: string, from: string, to: string])[] = [
  ['D01', 'export_order', 'export_contract'],
  ['D02', 'export_contract', 'purchase_contract'],
  ['D03', 'export_contract', 'shipment'],
  ['D04', 'shipment', 'export_invoice'],
  ['D05', 'shipment', 'customs_declaration'],
  ['D06', 'shipment', 'logistics_order'],
  ['D07', 'shipment', 'document_submission'],
  ['D08', 'shipment', 'insurance_application'],
  ['D09', 'purchase_contract', 'warehouse_entry'],
  ['D10', 'shipment', 'warehouse_entry'],
  ['D11', 'receipt', 'receipt_split'],
  ['D12', 'receipt_split', 'fx_holding'],
  ['D13', 'customs_declaration', 'tax_refund'],
  ['D14', 'tax_refund', 'document_filing'],
  ['D15', 'insurance_application', 'payment_request'],
  ['D16', 'insurance_application', 'domestic_receipt'],
  ['D17', 'project_settlement', 'payment_request'],
  ['D18', 'agent_invoice_application', 'sales_invoice'],
  ['D19', 'estimate', 'project'],
  ['D20', 'estimate', 'export_order'],
  ['D21', 'purchase_contract', 'payment_request'],
  ['D22', 'shipment', 'payment_request'],
  ['D23', 'business_invoice', 'payment_request'],
  ['D24', 'deposit', 'payment_request'],
  ['D25', 'shipment', 'shipment_version'],
  ['D26', 'receipt', 'remittance_return'],
  ['D26', 'receipt_split', 'remittance_return'],
  ['D27', 'shipment', 'project_settlement'],
  ['D27', 'project', 'project_settlement'],
  ['D28', 'shipment', 'agent_invoice_application'],
  ['D29', 'shipment', 'file_archive'],
  ['D30', 'receipt_split', 'fx_settlement'],
  ['D30', 'fx_holding', 'fx_settlement'],
  ['D31', 'cooperation_agreement', 'cooperation_agreement'],
  ['D33', 'fund_plan', 'fund_plan'],
  ['D34', 'goods_invoice', 'refund_letter'],
  ['D35', 'credit_investigation', 'payment_request'],
];

describe('documents made from documents', () => {
  const { catalog } = shippedDefinitions();
  const resources = catalog?.resources ?? {};

  it.each(MADE.filter(([, from, to]) => from in resources && to in resources))(
    '%s: %s makes %s',
    (_row, from, to) => {
      const targets = Object.values(resources[from]?.makes ?? {}).map((make) => make.to.split('.')[0]);
      expect(targets).toContain(to);
    },
  );

  it('leave nothing over: every make is triggered, offered or picked', () => {
    const picked = new Set(
      Object.values(resources).flatMap(({ fields }) =>
        Object.values(fields).flatMap(({ from }) => from ?? []),
      ),
    );
    const idle = Object.values(resources).flatMap((resource) =>
      Object.entries(resource.makes)
        .filter(
          ([key, make]) =>
            make.as !== 'form' && make.title === undefined && !isRun(JSON.stringify(resource), key),
        )
        .map(([key]) => `${resource.resource}.${key}`)
        .filter((name) => !picked.has(name)),
    );
    expect(idle).toEqual([]);
  });
});

/** Whether something that a resource does names a make. */
function isRun(text: string, make: string): boolean {
  return text.includes(`"make":"${make}"`);
}
