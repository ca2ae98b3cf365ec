import { OUTDATED_STATE } from '#server/kernel/db/database-fault.ts';

/** Records whose new name others do not have in their search texts yet, and by what definitions a resource's texts and sums were made. */
export const DERIVED_TEXTS = `
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
`;

/** Former names of resources, fields and states, and what was dropped but is kept for a while. */
export const RENAMES = `
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
`;

/** Every version of a definition that was edited in the program, in place of the hashes of the first tables. */
export const DEFINITION_FILES = `
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
`;

/** Refuses the commit of work that began under former definitions. */
export const EPOCH = `
create function erp_assert_epoch(expected integer) returns void language plpgsql stable as $$
begin
  if coalesce((select value::text::integer from sys_schema where key = 'epoch'), 0) <> expected then
    raise exception 'definitions have changed' using errcode = '${OUTDATED_STATE}';
  end if;
end $$;
`;
