import type { ReportFile } from '../report/lint-report.ts';
import type { ResourceFile } from './parse-files.ts';
import { type Setup, setupName } from './setup-files.ts';
import { faultAt, type LintFault, type SourceFile } from './source-file.ts';

/** The first file of each resource; what defines one again is at fault. */
export function withoutDuplicates(
  resources: readonly ResourceFile[],
  faults: LintFault[],
): readonly ResourceFile[] {
  const first = new Map<string, ResourceFile>();
  for (const entry of resources) {
    const name = entry.definition.resource;
    const other = first.get(name);
    if (other === undefined) first.set(name, entry);
    else faults.push(faultAt(entry.file, ['resource'], `资源 "${name}" 已在 ${other.file.path} 中定义`));
  }
  return [...first.values()];
}

/** The same for reports. */
export function oneOfEach(reports: readonly ReportFile[], faults: LintFault[]): readonly ReportFile[] {
  const first = new Map<number, ReportFile>();
  for (const entry of reports) {
    const { report } = entry.definition;
    const other = first.get(report);
    if (other === undefined) first.set(report, entry);
    else faults.push(faultAt(entry.file, ['report'], `报表 ${report} 已在 ${other.file.path} 中定义`));
  }
  return [...first.values()];
}

/** Addresses that a page before has taken already. */
export function duplicateRoutes(
  resources: readonly ResourceFile[],
  {
    setup,
    setupSources,
    reports,
  }: {
    readonly setup: Setup;
    readonly setupSources: readonly SourceFile[];
    readonly reports: readonly ReportFile[];
  },
): readonly LintFault[] {
  const owner = new Map<string, string>();
  const faults: LintFault[] = [];
  const claim = (file: SourceFile, path: readonly (string | number)[], route: string): void => {
    const other = owner.get(route);
    if (other === undefined) owner.set(route, file.path);
    else faults.push(faultAt(file, path, `路由 "${route}" 已在 ${other} 中使用`));
  };
  for (const { file, definition } of resources)
    for (const [index, page] of (definition.pages ?? []).entries())
      claim(file, ['pages', index, 'route'], page.route);
  const pages = setupSources.find((file) => setupName(file.path) === 'pages');
  if (pages !== undefined)
    for (const [index, page] of setup.pages.entries())
      if (page.report === undefined) claim(pages, [index, 'route'], page.route);
  for (const { file, definition } of reports) claim(file, ['route'], definition.route);
  return faults;
}
