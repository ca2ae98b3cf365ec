/** The text of a comment, with the names of those mentioned in it marked. */
export function MentionText({ text, names }: { readonly text: string; readonly names: readonly string[] }) {
  return (
    <p>
      {mentionParts(text, names).map((part, index) =>
        part.isMention ? (
          // The parts of a comment never change places.
          // oxlint-disable-next-line react/no-array-index-key
          <mark key={index} className="mention">
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </p>
  );
}

/** A comment in pieces: `@name` of somebody mentioned, and what stands between. The longest name that fits counts. */
export function mentionParts(
  text: string,
  names: readonly string[],
): readonly { readonly text: string; readonly isMention: boolean }[] {
  const known = [...new Set(names)]
    .filter((name) => name !== '')
    .sort((a, b) => b.length - a.length)
    .map((name) => `@${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
  if (known.length === 0) return [{ text, isMention: false }];
  return text
    .split(new RegExp(`(${known.join('|')})`))
    .map((part, index) => ({ text: part, isMention: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}
