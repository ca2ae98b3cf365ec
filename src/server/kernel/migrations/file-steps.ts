/** Links by which somebody without a login hands in files for a record. */
export const UPLOAD_LINKS = `
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
`;

/** What lies in the storage, so that what no row speaks of any more is found and removed. */
export const STORED_FILES = `
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
`;

/** What came by an upload link, also when it was removed since. */
export const UPLOADS = `
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
`;
