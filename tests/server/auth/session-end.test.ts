import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Example, startExample } from '../support/running-example.ts';

let example: Example;
beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.close());

it('a session ends at once, however many calls are reading it at that moment', async () => {
  for (let round = 0; round < 15; round += 1) {
    const token = await example.signIn('dc.aa');
    // Nothing is cached any more, so that every call reads the session anew while it ends.
    example.advance(5_001);
    const read = () => example.call('GET', '/erp/api/sys/session', { token });
    const reading = Array.from({ length: 10 }, read);
    await example.call('POST', '/erp/api/sys/logout', { token });
    await Promise.all(reading);
    expect((await read()).status).toBe(401);
  }
});
