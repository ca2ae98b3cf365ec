import type { FrontServer } from './front-server.ts';
import { median } from './measure.ts';
import { call } from './session.ts';

/** A contract of many lines of which one price changes, as its form sends it. */
export async function measureChangedLine(
  bench: {
    readonly server: FrontServer;
    readonly ordinary: string;
    readonly add: (what: string, result: string, target: string, isMet: boolean) => void;
  },
  path: string,
  draft: object,
): Promise<void> {
  const { server, ordinary, add } = bench;
  const items = Array.from({ length: 500 }, (_, index) => ({
    name_en: `ITEM ${index + 1}`,
    quantity: '10',
    unit_price: '12.5',
  }));
  const made = await call(server.url, ordinary, { path, body: { ...draft, items } });
  const lines = Array.isArray(made['items']) ? (made['items'] as readonly { readonly id: string }[]) : [];
  let version = Number(made['version']);
  const save = async (): Promise<void> => {
    const sent = lines.map(({ id }, index) => ({
      ...items[index],
      id,
      ...(index === 250 ? { unit_price: `${10 + (version % 7)}` } : {}),
    }));
    const body = { version, items: sent };
    version = Number((await call(server.url, ordinary, { method: 'PATCH', path: `${path}/${String(made['id'])}`, body }))['version']); // prettier-ignore
  };
  // The first saves of a size are made by code that is not compiled yet.
  await median(30, save);
  const ms = await median(40, save);
  add('500 行中改一行的保存', `${ms.toFixed(0)} ms`, '< 60 ms', ms < 60);
}
