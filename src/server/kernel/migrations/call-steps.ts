/** Who works on an Idempotency-Key claims it, and says when its write is done. */
export const KEY_CLAIMS = `
alter table sys_idempotency add column claim uuid, add column written_at timestamptz;
`;

/** Calls that are limited by number, and queries of invoices, each asked once a day for all. */
export const COUNTED_CALLS = `
create table sys_call (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  at timestamptz not null
);
create index on sys_call (kind, subject, at desc);
create index on sys_call (at);

create table sys_invoice_query (
  co_code text not null,
  query_hash text not null,
  day date not null,
  invoice_key text not null,
  claim uuid not null,
  status text not null check (status in ('asking', 'done')),
  facts jsonb,
  at timestamptz not null,
  primary key (co_code, query_hash, day)
);
create index on sys_invoice_query (invoice_key, day);
`;

/** A query of an invoice may fail; its calls are counted, and those of visitors among them. */
export const FAILED_QUERIES = `
alter table sys_invoice_query drop constraint sys_invoice_query_status_check;
alter table sys_invoice_query add constraint sys_invoice_query_status_check
  check (status in ('asking', 'done', 'failed'));
alter table sys_invoice_query add column calls integer not null default 1;
alter table sys_invoice_query add column visitor_calls integer not null default 0;
`;

/** Which process works on a key, and the answers of a call in parts. */
export const KEY_OWNERS = `
alter table sys_idempotency add column owner integer, add column parts jsonb;
`;
