/** For whom somebody acted. */
export const ON_BEHALF = `
alter table sys_audit add column on_behalf_id uuid, add column on_behalf_name text;
`;

/** From where somebody acted; each row of the audit has its digest, and these are chained. */
export const AUDIT_SEALS = `
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
`;
