/** Who decides for whom, from which day to which. */
export const DELEGATIONS = `
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
`;

/** Who has to choose a new password, and since when. */
export const PASSWORDS_DUE = `
create table sys_password_due (
  person_id uuid primary key,
  since timestamptz not null default now()
);
`;

/** Whom an identity of a provider stands for, from its first login on. */
export const IDENTITIES = `
create table sys_oidc_binding (
  issuer text not null,
  subject text not null,
  person_id uuid not null,
  at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (issuer, person_id)
);
`;

/** Of which kinds of documents somebody decides for somebody else; null for all. */
export const DELEGATED_KINDS = 'alter table sys_delegation add column kinds text[];';
