import { APPEND_ONLY_STATE } from '#server/kernel/db/database-fault.ts';

/** All that a database began with. */
export const FIRST_TABLES = `
create function erp_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name using errcode = '${APPEND_ONLY_STATE}', table = tg_table_name;
end $$;

create table sys_session (
  token_hash bytea primary key,
  id uuid not null unique default gen_random_uuid(),
  person_id uuid,
  partner_account_id uuid,
  stage text not null check (stage in ('pending', 'full')),
  co_code text,
  role_code text,
  sales_id uuid,
  subject jsonb,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  address text,
  user_agent text,
  revoked_at timestamptz
);
create index on sys_session (person_id) where revoked_at is null;
create index on sys_session (partner_account_id) where revoked_at is null;
create index on sys_session (last_seen_at);

create table sys_audit (
  id uuid primary key,
  at timestamptz not null default now(),
  resource text not null,
  record_id uuid,
  co_code text,
  person_id uuid,
  person_name text,
  for_sales_id uuid,
  action text not null,
  from_status text,
  to_status text,
  opinion text,
  changes jsonb,
  request_id text
);
create index on sys_audit (resource, record_id, at desc);
create index on sys_audit (co_code, at desc);
create index on sys_audit (person_id, at desc);
create trigger append_only before update or delete or truncate on sys_audit
  for each statement execute function erp_append_only();

create table sys_idempotency (
  key text not null,
  person_id text not null default '',
  body_hash text not null,
  status integer,
  answer jsonb,
  at timestamptz not null default now(),
  primary key (person_id, key)
);
create index on sys_idempotency (at);

create table sys_counter (
  co_code text not null default '',
  series text not null,
  scope text not null default '',
  value bigint not null default 0,
  primary key (co_code, series, scope)
);

create table sys_file (
  id uuid primary key,
  co_code text,
  resource text,
  record_id uuid,
  field text,
  name text not null,
  size bigint not null,
  type text not null,
  sha256 text not null,
  storage_key text not null,
  created_by uuid,
  created_at timestamptz not null default now()
);
create index on sys_file (resource, record_id);
create index on sys_file (storage_key);

create table sys_view (
  id uuid primary key,
  co_code text,
  person_id uuid not null,
  resource text not null,
  page text,
  name text not null,
  is_default boolean not null default false,
  is_shared boolean not null default false,
  settings jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index on sys_view (resource, person_id);

create table sys_comment (
  id uuid primary key,
  co_code text,
  resource text not null,
  record_id uuid not null,
  person_id uuid not null,
  person_name text not null,
  content text not null,
  mentions uuid[],
  created_at timestamptz not null default now()
);
create index on sys_comment (resource, record_id, created_at);

create table sys_job (
  id uuid primary key,
  co_code text,
  person_id uuid,
  kind text not null,
  title text,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  progress integer not null default 0,
  total integer,
  input jsonb,
  result jsonb,
  error text,
  file_key text,
  file_name text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index on sys_job (person_id, created_at desc);

create table sys_import (
  id uuid primary key,
  co_code text,
  person_id uuid not null,
  resource text not null,
  file_name text,
  status text not null default 'checked' check (status in ('checked', 'committed', 'failed')),
  counts jsonb,
  rows jsonb,
  created_at timestamptz not null default now(),
  committed_at timestamptz
);
create index on sys_import (created_at);

create table sys_login_log (
  id uuid primary key,
  at timestamptz not null default now(),
  personid text,
  person_id uuid,
  co_code text,
  method text not null,
  ok boolean not null,
  reason text,
  address text,
  user_agent text
);
create index on sys_login_log (personid, address, at desc);
create index on sys_login_log (address, at desc);
create index on sys_login_log (co_code, at desc);
create trigger append_only before update or delete or truncate on sys_login_log
  for each statement execute function erp_append_only();

create table sys_sms_code (
  id uuid primary key,
  mobile text not null,
  purpose text not null,
  code_hash text not null,
  address text,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on sys_sms_code (mobile, created_at desc);
create index on sys_sms_code (address, created_at desc);

create table sys_ticket (
  token_hash bytea primary key,
  purpose text not null,
  subject jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on sys_ticket (expires_at);

create table sys_approval_case (
  id uuid primary key,
  co_code text,
  resource text not null,
  record_id uuid not null,
  record_version integer not null,
  action text not null,
  flow jsonb not null,
  level_no integer not null default 1,
  status text not null,
  submitted_by uuid,
  submitted_at timestamptz not null default now(),
  snapshot jsonb,
  ended_at timestamptz
);
create index on sys_approval_case (resource, record_id, submitted_at desc);
create index on sys_approval_case (co_code, status);
create unique index on sys_approval_case (resource, record_id) where ended_at is null;

create table sys_definition (
  resource text primary key,
  hash text not null,
  at timestamptz not null default now()
);

create table sys_setting (
  co_code text not null default '',
  key text not null,
  value jsonb,
  updated_by uuid,
  updated_at timestamptz not null default now(),
  primary key (co_code, key)
);

create table sys_notice (
  id uuid primary key,
  co_code text,
  person_id uuid not null,
  event text not null,
  level text,
  title text not null,
  content text,
  resource text,
  record_id uuid,
  read_at timestamptz,
  archived_at timestamptz,
  created_at timestamptz not null default now()
);
create index on sys_notice (person_id, created_at desc);
create index on sys_notice (person_id) where read_at is null and archived_at is null;
`;
