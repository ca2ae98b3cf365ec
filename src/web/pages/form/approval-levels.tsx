import type { ApprovalLevel, Preview } from './use-preview.ts';

interface ApprovalLevelsProps {
  readonly approval: NonNullable<Preview['approval']>;
}

const MODES: Readonly<Record<string, string>> = { any: '任一人通过即可', all: '须全部通过' };

/** Who will decide, in which order, and why these persons. */
export function ApprovalLevels({ approval }: ApprovalLevelsProps) {
  return (
    <ol className="approval-levels">
      {approval.levels.map((level, index) => (
        <li key={level.levelNo || index}>
          <b>{level.title === '' ? `第${index + 1}级` : level.title}</b>
          <span>{decidersOf(level)}</span>
          {level.persons.length > 1 && <span className="field-hint"> {MODES[level.mode] ?? ''}</span>}
          {level.reason !== '' && <div className="field-hint">{level.reason}</div>}
        </li>
      ))}
    </ol>
  );
}

/** The names of those who decide a level, or why there are none: it is passed over, or somebody has to be found. */
export function decidersOf({ persons, skipped }: Pick<ApprovalLevel, 'persons' | 'skipped'>): string {
  if (persons.length > 0) return persons.join('、');
  return skipped === '' ? '（没有可审核的人，请联系管理员）' : `（跳过：${skipped}）`;
}
