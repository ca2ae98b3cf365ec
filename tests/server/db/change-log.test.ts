import { describe, expect, it } from 'vitest';
import { openChangeLog } from '#server/kernel/db/change-log.ts';

const READ = `select t."name" from "buyer" t where t.id = any($1::uuid[])`;

describe('what a transaction has read', () => {
  it.each([
    ['select t.id from "buyer" t for update of t', false],
    ['(select 0::int as n from "buyer" t limit 1)', false],
    ['savepoint s1', false],
    ['release savepoint s1', false],
    [
      'update "buyer" t set "name" = r."name" from jsonb_populate_recordset(null::"buyer", $1::jsonb) r',
      true,
    ],
    ['insert into "buyer" select r.* from jsonb_populate_recordset(null::"buyer", $1::jsonb) r', true],
    ['delete from "buyer" where id = $1', true],
    ['update "buyer__accounts" l set "no" = $1', false],
    ['insert into sys_audit (id, at) select id, at from x', false],
    // Where it is not plain to see which table it is.
    ['with gone as (delete from "buyer" returning id) select 1', true],
    ['rollback to savepoint s1', true],
    ['truncate "buyer"', true],
  ])('after “%s” may have changed: %s', (statement, hasChanged) => {
    const log = openChangeLog();
    const then = log.moment();
    log.note(statement);
    expect(log.hasTouched(READ, then)).toBe(hasChanged);
  });

  it('holds when it was read after the change', () => {
    const log = openChangeLog();
    log.note('update "buyer" set name = $1');
    expect(log.hasTouched(READ, log.moment())).toBe(false);
    log.note('update "buyer" set name = $1');
    expect(log.hasTouched(READ, 1)).toBe(true);
  });
});
