import type { ShownChange } from './history-row.ts';

/** What changed, each value before and after, in the words of the history. */
export function ChangesTable({ changes }: { readonly changes: readonly ShownChange[] }) {
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
