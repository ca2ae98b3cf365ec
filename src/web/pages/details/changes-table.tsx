import type { ShownChange } from './history-row.ts';

/** What changed, each value before and after, in the words of the history; what only follows from it opens below. */
export function ChangesTable({ changes }: { readonly changes: readonly ShownChange[] }) {
  const written = changes.filter(({ isDerived }) => !isDerived);
  const derived = changes.filter(({ isDerived }) => isDerived);
  if (written.length === 0 || derived.length === 0) return <Changes changes={changes} />;
  return (
    <>
      <Changes changes={written} />
      <details className="history-derived">
        <summary>随之变动 {derived.length} 项</summary>
        <Changes changes={derived} />
      </details>
    </>
  );
}

function Changes({ changes }: { readonly changes: readonly ShownChange[] }) {
  return (
    <table className="history-changes">
      <tbody>
        {changes.map((change) => (
          <tr key={change.key}>
            <th>{change.place}</th>
            <td className="old">{change.before}</td>
            <td className="new">{change.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
