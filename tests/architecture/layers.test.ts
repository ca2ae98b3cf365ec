import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../../src');
const ALLOWED = {
  engine: ['engine'],
  trade: ['trade', 'engine'],
  contract: ['contract', 'engine'],
  server: ['server', 'contract', 'trade', 'engine'],
  web: ['web', 'contract', 'trade', 'engine'],
} as const satisfies Record<string, readonly string[]>;

describe('imports', () => {
  it.each(Object.entries(ALLOWED))('of %s point inward only', (layer, allowed) => {
    const wrong = files(path.join(SRC, layer)).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/from '#(engine|trade|contract|server|web)\//g)]
        .filter((match) => !allowed.some((name) => name === match[1]))
        .map((match) => `${path.relative(SRC, file)} imports #${String(match[1])}`),
    );
    expect(wrong).toEqual([]);
  });

  it('of the engine name no package of Node, React or the browser', () => {
    const wrong = files(path.join(SRC, 'engine')).filter((file) =>
      /from '(node:|react|antd|pg|fastify)/.test(readFileSync(file, 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the calls of the pages', () => {
  it('are those of the contract: only the seams in web/data know addresses', () => {
    const wrong = files(path.join(SRC, 'web')).filter((file) =>
      /import \{[^}]*\bhttp\b[^}]*\} from '[^']*http\.ts'/.test(readFileSync(file, 'utf8')),
    );
    expect(wrong.map((file) => path.relative(SRC, file)).toSorted()).toEqual([
      'web/data/data-provider.ts',
      'web/data/keyed-write.ts',
    ]);
  });
});

describe('the contract', () => {
  it('holds shapes, no logic', () => {
    const wrong = files(path.join(SRC, 'contract')).filter((file) =>
      /\bfunction\b|=> [^;{]*[{(]/.test(readFileSync(file, 'utf8')),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the floors of the server', () => {
  const floors = ['kernel', 'records', 'workflow', 'auth', 'business', 'http', 'main.ts'];

  it('have arrows down only', () => {
    const wrong = files(path.join(SRC, 'server')).flatMap((file) => {
      const floor = path.relative(path.join(SRC, 'server'), file).split(path.sep)[0] ?? '';
      return [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'#server\/([^/']+)/g)]
        .filter((match) => floors.indexOf(match[1] ?? '') > floors.indexOf(floor))
        .map((match) => `${path.relative(SRC, file)} imports ${String(match[1])}`);
    });
    expect(wrong).toEqual([]);
  });

  it('are all that there is', () => {
    expect(readdirSync(path.join(SRC, 'server')).toSorted()).toEqual([...floors, 'tsconfig.json'].toSorted());
  });

  it('know nothing of the demo', () => {
    const wrong = files(SRC).filter((file) => readFileSync(file, 'utf8').includes("'#demo/"));
    expect(wrong).toEqual([]);
  });
});

describe('the engine and the generic pages', () => {
  const keys = readdirSync(path.resolve(SRC, '../resources'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json') && !/^(setup|reference-data)|[\\/]prints[\\/]/.test(file))
    .map((file) => path.basename(file, '.json'))
    // Words of the English language that also name a resource.
    .filter(
      (key) =>
        ![
          'role',
          'currency',
          'country',
          'port',
          'goods',
          'person',
          'department',
          'dictionary',
          'bank',
          'project',
          'partner',
          'relation',
          'estimate',
          // A word of the format: an account of a ledger.
          'account',
        ].includes(key),
    );

  it.each(['engine', 'web/pages', 'web/fields'])('name no resource in %s', (folder) => {
    const named = files(path.join(SRC, folder)).flatMap((file) => {
      const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      return keys
        .filter((key) => code.includes(`'${key}'`))
        .map((key) => `${path.relative(SRC, file)}: ${key}`);
    });
    expect(named.filter((line) => !line.startsWith('web/pages/approval/'))).toEqual([]);
  });
});

describe('records', () => {
  /** What is written beside the operations: audited where it stands, or no edit at all. */
  const KNOWN = [
    'server/auth/partner-accounts.ts', // when an account last came in
    'server/business/setup/import-reference-data.ts', // what ships with the program, before anybody works
    'server/workflow/jobs/clean-up.ts', // old rows of the engine's own tables
  ];

  it('are written by the operations only: no other file says update, insert or delete of a table of a resource', () => {
    const tables = readdirSync(path.resolve(SRC, '../resources'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json') && !/^(setup|reference-data)|[\\/]prints[\\/]/.test(file))
      .map((file) => path.basename(file, '.json'));
    const table = `(?:"?(?:${tables.join('|')})(?:__\\w+)?"?\\b|\\$\\{)`;
    const write = new RegExp(`['"\`\\s](?:update|insert into|delete from) ${table}`);
    const wrong = files(path.join(SRC, 'server'))
      .filter((file) => !/server\/(kernel|records)\//.test(file))
      .filter((file) => write.test(withoutComments(readFileSync(file, 'utf8'))))
      .map((file) => path.relative(SRC, file));
    expect(wrong).toEqual(KNOWN);
  });
});

describe('what only the definitions say', () => {
  const resources = path.resolve(SRC, '../resources');
  const routes = readdirSync(resources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json') && !file.startsWith('reference-data'))
    .flatMap((file) =>
      [...readFileSync(path.join(resources, file), 'utf8').matchAll(/"route": "(\/[^"]+)"/g)].map(
        ([, route = '']) => route,
      ),
    );
  const roles = [
    ...readFileSync(path.join(resources, 'setup/roles.json'), 'utf8').matchAll(/"code": "(\w+)"/g),
  ].map(([, code = '']) => code);
  const code = files(SRC)
    .filter((file) => !file.endsWith('.generated.ts'))
    .map((file) => ({ file, text: withoutComments(readFileSync(file, 'utf8')) }));

  it('the code of a role stands in no code', () => {
    const role = new RegExp(`['"\`](${roles.join('|')})['"\`]`);
    expect(code.filter(({ text }) => role.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('the route of a page stands in no code but the table of addresses and that of pages for any record, which have only known ones', () => {
    const route = new RegExp(`['"\`](${routes.join('|')})['"\`?]`);
    const tables = ['engine/schema/record-pages.ts', 'web/data/addresses.ts'];
    const named = code.filter(({ text }) => route.test(text)).map(({ file }) => path.relative(SRC, file));
    expect(named.toSorted()).toEqual(tables);
    const spelled = tables.flatMap((table) => [
      ...readFileSync(path.join(SRC, table), 'utf8').matchAll(/'(\/[^']+)'/g),
    ]);
    const unknown = spelled.map(([, address = '']) => address).filter((one) => !routes.includes(one));
    // The old address of the home page, which no definition has.
    expect(unknown).toEqual(['/index/home']);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

function files(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => path.join(folder, file));
}
