import { Ajv, type ValidateFunction } from 'ajv';
import type { CallContract } from '#contract/call.ts';
import { CALLS } from '#contract/calls.ts';

const ajv = new Ajv({ allErrors: true, strict: false });
const compiled = new Map<string, ValidateFunction>();

/** The fixed parts of a path weigh more than its parameters: `/data/:resource/reads` before `/data/:resource/:id`. */
const CALL_PATTERNS = Object.entries<CallContract>(CALLS)
  .map(([key, contract]) => {
    const [method = '', path = ''] = key.split(' ');
    const pattern = `${contract.below ?? '/erp/api'}${path}`.replace(/:\w+/g, '[^/]+').replace('*', '.*');
    return { key, method, contract, pattern: new RegExp(`^${pattern}$`), parameters: path.split(':').length };
  })
  .sort((one, other) => one.parameters - other.parameters);

/**
 * Fails when a successful answer does not have the shape that the call's contract declares. The helpers of the server's
 * tests ask it of every answer that they get.
 */
export function checkAnswer(method: string, address: string, status: number, body: unknown): void {
  const path = address.split('?')[0] ?? '';
  const call = CALL_PATTERNS.find((known) => known.method === method && known.pattern.test(path));
  if (call?.contract.data === undefined || status !== 200) return;
  const validate = compiled.get(call.key) ?? ajv.compile({ allOf: [call.contract.data] });
  compiled.set(call.key, validate);
  const data: unknown = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  if (validate(data)) return;
  throw new Error(`${call.key} breaks its contract: ${ajv.errorsText(validate.errors, { dataVar: 'data' })}`);
}
