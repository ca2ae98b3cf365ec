/** The account that a key of vouchers stands for (flows 2.7.5), until a row of the company says otherwise. */
export interface PostingAccount {
  readonly code: string;
  readonly name: string;
  /** Where its balance lies. */
  readonly side: 'debit' | 'credit';
  /** Kept in foreign currency too. */
  readonly foreign?: boolean;
  /** What its lines are told apart by: columns of the voucher's lines. */
  readonly dimensions?: readonly string[];
}

/** The keys of setup/accounts.json with their accounts. */
export function readAccounts(file: unknown): Readonly<Record<string, PostingAccount>> {
  if (typeof file !== 'object' || file === null) return {};
  const entries = Object.entries(file as Readonly<Record<string, PostingAccount>>);
  return Object.fromEntries(entries.filter(([name]) => name !== '$schema'));
}

/** A key of setup/accounts.json by its spelling; anything else names a reference to an account. */
export function isPostingKey(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name);
}
