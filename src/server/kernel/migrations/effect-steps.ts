/** Which document was made from which. */
export const CHAIN = `
create table sys_chain (
  co_code text not null,
  from_resource text not null,
  from_id uuid not null,
  from_line uuid,
  make text not null,
  to_resource text not null,
  to_id uuid not null,
  to_line uuid,
  created_at timestamptz not null default now(),
  unique nulls not distinct (from_resource, from_id, make, from_line, to_resource, to_id, to_line)
);
create index on sys_chain (to_resource, to_id);
`;

/** The value of `per` that a document was made for, as JSON. */
export const CHAIN_PER = `
alter table sys_chain add column per text;
`;

/** What documents hold on accounts, and which part of a document has which voucher. */
export const HOLDS_AND_VOUCHED = `
create table sys_hold (
  id uuid primary key,
  co_code text not null default '',
  account_resource text not null,
  account_id uuid not null,
  resource text not null,
  record_id uuid not null,
  line_id uuid,
  place integer not null,
  amount numeric not null,
  created_at timestamptz not null,
  unique nulls not distinct (resource, record_id, line_id, place)
);
create index on sys_hold (account_resource, account_id);

create table sys_vouched (
  voucher_resource text not null,
  voucher_id uuid not null,
  co_code text not null default '',
  resource text not null,
  record_id uuid not null,
  event text not null,
  part uuid not null,
  mirror_id uuid,
  primary key (voucher_id, part)
);
create unique index on sys_vouched (resource, record_id, event, part) where mirror_id is null;
create index on sys_vouched (resource, record_id);
`;
