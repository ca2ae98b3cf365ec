/** Whether a notice is told at once or only stands in the list. */
export const LIVE_NOTICES = `
alter table sys_notice add column is_live boolean not null default true;
`;

/** Who has read which record. */
export const READERS = `
create table sys_read (
  resource text not null,
  record_id uuid not null,
  person_id uuid not null,
  at timestamptz not null,
  primary key (resource, record_id, person_id)
);
create index on sys_read (person_id, resource);
`;

/** Where a notice leads that speaks of no record; notices that are not put away are found by age. */
export const NOTICE_LINKS = `
alter table sys_notice add column link text;
create index on sys_notice (created_at) where archived_at is null;
`;

/** Documents that leave by mail, and what was sent to whom. */
export const MAILS = `
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
`;

/** What is told once, however it was told: a text message leaves no notice. */
export const TOLD = `
create table sys_told (
  event text not null,
  about text not null,
  at timestamptz not null,
  primary key (event, about)
);
create index on sys_told (at);
`;
