import { useSearchParams } from 'react-router-dom';

/** What was chosen of a report's parameters. */
export type ChosenParams = Readonly<Record<string, unknown>>;

/** A report's parameters in the URL of its own tab, and how to change them. */
export function useReportAddress(): readonly [ChosenParams, (params: ChosenParams) => void] {
  const [search, setSearch] = useSearchParams();
  const change = (params: ChosenParams) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        if (Object.keys(params).length === 0) next.delete('p');
        else next.set('p', JSON.stringify(params));
        return next;
      },
      { replace: true },
    );
  return [readParams(search.get('p')), change];
}

/** The address of a report with its parameters. */
export function reportAddress(route: string, params: ChosenParams): string {
  return `${route}?${new URLSearchParams({ p: JSON.stringify(params) }).toString()}`;
}

/** What is broken or foreign there is passed over. */
function readParams(text: string | null): ChosenParams {
  if (text === null || text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : {};
  } catch {
    return {};
  }
}
