import { APPEND_ONLY_STATE, OUTDATED_STATE } from '#server/kernel/db/database-fault.ts';

/**
 * The tables that no definition describes, as steps. A step that has been released is never edited: a change is a new
 * step at the end.
 */
export const INFRASTRUCTURE_STEPS: readonly string[] = [
  `
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
`,
  `
create table sys_delegation (
  id uuid primary key,
  co_code text not null,
  from_person uuid not null,
  to_person uuid not null,
  valid_from date not null,
  valid_to date not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  check (valid_to >= valid_from and from_person <> to_person)
);
create index on sys_delegation (to_person, valid_to);
create index on sys_delegation (from_person, valid_to);
`,
  `
create table sys_password_due (
  person_id uuid primary key,
  since timestamptz not null default now()
);
`,
  `
alter table sys_idempotency add column claim uuid, add column written_at timestamptz;
`,
  `
create table sys_renamed (
  resource text not null,
  record_id uuid not null,
  at timestamptz not null default now(),
  primary key (resource, record_id)
);

create table sys_derived (
  resource text primary key,
  search text not null,
  fields jsonb not null,
  at timestamptz not null default now()
);
`,
  `
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
`,
  `
create table sys_upload_link (
  id uuid primary key,
  token_hash bytea not null unique,
  co_code text,
  resource text not null,
  record_id uuid not null,
  created_by uuid,
  created_by_name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index on sys_upload_link (resource, record_id, created_at desc);
create index on sys_upload_link (expires_at);
alter table sys_file add column upload_link uuid;
create index on sys_file (upload_link) where upload_link is not null;
`,
  `
alter table sys_notice add column is_live boolean not null default true;
`,
  `
create table sys_read (
  resource text not null,
  record_id uuid not null,
  person_id uuid not null,
  at timestamptz not null,
  primary key (resource, record_id, person_id)
);
create index on sys_read (person_id, resource);
`,
  `
create table sys_stored (
  storage_key text primary key,
  at timestamptz not null
);
create index on sys_stored (at);
insert into sys_stored (storage_key, at) select distinct storage_key, now() from sys_file;
insert into sys_stored (storage_key, at) select distinct file_key, now() from sys_job where file_key is not null
  on conflict do nothing;
create index on sys_job (file_key) where file_key is not null;
alter table sys_file add column uploaded_by text;
alter table sys_file add column dead_since timestamptz;
create index on sys_file (dead_since) where dead_since is not null;
create index on sys_file (created_at) where record_id is null;
`,
  `
create table sys_upload (
  link uuid not null,
  id uuid not null,
  file uuid,
  size bigint not null default 0,
  at timestamptz not null,
  removed_at timestamptz,
  primary key (link, id)
);
create index on sys_upload (file) where file is not null and removed_at is null;
insert into sys_upload (link, id, file, size, at)
  select upload_link, id, id, size, created_at from sys_file where upload_link is not null;
`,
  `
alter table sys_invoice_query drop constraint sys_invoice_query_status_check;
alter table sys_invoice_query add constraint sys_invoice_query_status_check
  check (status in ('asking', 'done', 'failed'));
alter table sys_invoice_query add column calls integer not null default 1;
alter table sys_invoice_query add column visitor_calls integer not null default 0;
`,
  `
alter table sys_notice add column link text;
create index on sys_notice (created_at) where archived_at is null;
`,
  `
alter table sys_audit add column on_behalf_id uuid, add column on_behalf_name text;
`,
  `
create table sys_rename (
  id uuid primary key default gen_random_uuid(),
  resource text not null,
  kind text not null check (kind in ('resource', 'field', 'state')),
  lines text,
  was text not null,
  name text not null,
  at timestamptz not null
);
create index on sys_rename (resource, kind);

create table sys_quarantine (
  name text primary key,
  source text not null,
  at timestamptz not null,
  until timestamptz not null,
  gone_at timestamptz
);

create function erp_resource_names(resource_name text) returns text[] language plpgsql stable as $$
begin
  return array(select was from sys_rename where kind = 'resource' and resource = resource_name) || resource_name;
end $$;
create function erp_state_names(resource_name text, state_name text) returns text[] language plpgsql stable as $$
begin
  return array(select was from sys_rename where kind = 'state' and resource = resource_name and name = state_name) || state_name;
end $$;
`,
  `
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
`,
  `
alter table sys_idempotency add column owner integer, add column parts jsonb;
`,
  `
drop table sys_definition;
create table sys_definition_file (
  path text not null,
  version integer not null,
  at timestamptz not null,
  author text not null,
  text text,
  changes jsonb not null default '[]',
  primary key (path, version)
);
create trigger append_only before update or delete or truncate on sys_definition_file
  for each statement execute function erp_append_only();
`,
  `
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
`,
  `
alter table sys_audit add column address text;

create table sys_audit_seal (
  audit_id uuid primary key,
  digest bytea not null,
  seq bigint unique,
  hash bytea
);
create index on sys_audit_seal (audit_id) where seq is null;

create function erp_seal_audit() returns trigger language plpgsql set timezone = 'UTC' as $$
begin
  insert into sys_audit_seal (audit_id, digest)
    values (new.id, sha256(convert_to(jsonb_strip_nulls(to_jsonb(new))::text, 'UTF8')));
  return null;
end $$;
create trigger seal after insert on sys_audit for each row execute function erp_seal_audit();
insert into sys_audit_seal (audit_id, digest)
  select a.id, sha256(convert_to(jsonb_strip_nulls(to_jsonb(a))::text, 'UTF8')) from sys_audit a;
`,
  `
create function erp_assert_epoch(expected integer) returns void language plpgsql stable as $$
begin
  if coalesce((select value::text::integer from sys_schema where key = 'epoch'), 0) <> expected then
    raise exception 'definitions have changed' using errcode = '${OUTDATED_STATE}';
  end if;
end $$;
`,
  `
create table sys_mail (
  id uuid primary key,
  co_code text,
  resource text not null,
  record_id uuid not null,
  person_id uuid,
  person_name text not null,
  subject_of jsonb not null,
  to_addresses text[] not null,
  cc_addresses text[] not null,
  subject text not null,
  body text not null,
  attachments jsonb not null,
  prints jsonb not null,
  fingerprint text not null,
  status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed')),
  attempts integer not null default 0,
  error text,
  way text,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index on sys_mail (resource, record_id, created_at);
`,
  `
alter table sys_delegation add column kinds text[];
`,
];
