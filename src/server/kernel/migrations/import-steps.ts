/**
 * How far the commit of an import has come: it is written in stretches, each in a transaction that notes it here. Who
 * writes it, until when nobody else does, and for whom it is gone on with when that one is gone, so many times by itself.
 */
export const IMPORT_PROGRESS = `
alter table sys_import
  add column done integer[] not null default '{}',
  add column created integer not null default 0,
  add column updated integer not null default 0,
  add column refused jsonb not null default '[]',
  add column told jsonb not null default '[]',
  add column subject jsonb,
  add column claim uuid,
  add column owner integer,
  add column claimed_at timestamptz,
  add column resumed integer not null default 0;
`;
