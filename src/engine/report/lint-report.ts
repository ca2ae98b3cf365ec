import { isNumeric, NUMBER, type ValueType } from '../expression/value-type.ts';
import { type KnownNames, LintContext } from '../schema/lint-context.ts';
import { lintFilter } from '../schema/lint-filter.ts';
import { type PathPlace, targetPlace } from '../schema/field-path.ts';
import type { Catalog, Resource } from '../schema/resource.ts';
import type { JsonPath, LintFault, SourceFile } from '../schema/source-file.ts';
import { faultAt } from '../schema/source-file.ts';
import { completedPart } from './complete-period.ts';
import { classesFault, defaultFault, lintTies, unaskedFunction } from './lint-report-values.ts';
import { suggestion } from '../schema/suggest-name.ts';
import {
  measureOf,
  type ReportColumn,
  type ReportDefinition,
  type ReportFigure,
  type ReportSource,
  type ReportWith,
  sourcesOf,
} from './report-definition.ts';
import { namesGiven, paramNamed, paramTypes, plainField, sourcePlace } from './report-names.ts';

/** A report file under the lint. */
export interface ReportFile {
  readonly file: SourceFile;
  readonly definition: ReportDefinition;
}

/** Everything wrong with a report beyond its form: names, kinds, what a column reckons with. */
export function lintReport(
  { file, definition }: ReportFile,
  catalog: Catalog,
  known: KnownNames,
): readonly LintFault[] {
  const sources = sourcesOf(definition);
  if (sources.length === 0) return [faultAt(file, ['rows'], '缺少 "from" 或 "union"')];
  const lint = new ReportLint(file, definition, catalog, withParams(known, definition));
  for (const [index, source] of sources.entries())
    lint.source(definition.rows.union === undefined ? ['rows'] : ['rows', 'union', index], source);
  lint.params();
  lint.columns();
  lint.names();
  return lint.faults;
}

class ReportLint {
  readonly faults: LintFault[] = [];
  private readonly places: PathPlace[] = [];
  private readonly file: SourceFile;
  private readonly report: ReportDefinition;
  private readonly catalog: Catalog;
  private readonly known: KnownNames;

  constructor(file: SourceFile, report: ReportDefinition, catalog: Catalog, known: KnownNames) {
    this.file = file;
    this.report = report;
    this.catalog = catalog;
    this.known = known;
  }

  source(path: JsonPath, source: ReportSource): void {
    const place = targetPlace(source.from, this.catalog);
    if (place === null) return this.unknownSource([...path, 'from'], source.from);
    let names: ReportSource = { from: source.from };
    for (const [name, sum] of Object.entries(source.with ?? {})) {
      this.freeName([...path, 'with', name], name, place);
      const before = sourcePlace(names, this.catalog, this.report.params) ?? place;
      this.sum([...path, 'with', name], sum, before);
      names = { ...names, with: { ...names.with, [name]: sum } };
    }
    for (const [name, given] of Object.entries(source.let ?? {})) {
      const here = [...path, 'let', name];
      this.freeName(here, name, place);
      const before = sourcePlace(names, this.catalog, this.report.params) ?? place;
      const text = typeof given === 'string' ? given : given.of;
      const at = typeof given === 'string' ? here : [...here, 'of'];
      const type = this.formula(at, text, before);
      const unasked = type.kind === 'unknown' ? null : unaskedFunction(text);
      if (unasked !== null) this.say(at, `函数 ${unasked} 不能用于报表`);
      const misfit = typeof given === 'string' ? null : classesFault(given, type);
      if (misfit !== null) this.say(at, misfit);
      names = { ...names, let: { ...names.let, [name]: given } };
    }
    const full = sourcePlace(source, this.catalog, this.report.params);
    if (full === null) return;
    this.places.push(full);
    this.filter([...path, 'where'], source.where, full);
  }

  params(): void {
    for (const [name, param] of Object.entries(this.report.params ?? {})) {
      const path = ['params', name];
      const misfit = defaultFault(name, param);
      if (misfit !== null) this.say([...path, 'default'], `默认值不合参数：${misfit}`);
      if (
        param.type === 'reference' &&
        (param.to === undefined || targetPlace(param.to, this.catalog) === null)
      )
        this.unknownSource([...path, 'to'], param.to ?? '');
      const { dictionaries } = this.known;
      if (param.type === 'dictionary' && dictionaries !== null && !dictionaries.has(param.dictionary ?? ''))
        this.say([...path, 'dictionary'], `未知字典 "${param.dictionary ?? ''}"${suggestion(param.dictionary ?? '', dictionaries)}`); // prettier-ignore
    }
    const { period } = this.report.rows;
    if (period === undefined) return;
    for (const key of ['from', 'to'] as const)
      if (this.report.params?.[period[key]]?.type !== 'date')
        this.say(['rows', 'period', key], `"${period[key]}" 应为日期参数`);
    this.each(['rows', 'period', 'date'], period.date);
    if (period.complete === true && (this.report.rows.each === true || completedPart(this.report) === null))
      this.say(
        ['rows', 'period', 'complete'],
        `列出整个期间的报表只按“${period.date}”的日、周、月、季或年分一级组`,
      );
  }

  columns(): void {
    const keys = new Set<string>();
    for (const [index, column] of this.report.columns.entries()) {
      const path = ['columns', index];
      if (keys.has(column.key)) this.say([...path, 'key'], `列 "${column.key}" 重复`);
      keys.add(column.key);
      this.column(path, column);
    }
    const currencies = new Set(this.report.columns.flatMap(({ currency }) => currency ?? []));
    if (currencies.size > 1) this.say(['columns'], '各列的币种应取自同一字段');
  }

  /** What names columns, groups, roles and the chart. */
  names(): void {
    const { rows, sort = [], chart, roles } = this.report;
    for (const [index, by] of (rows.by ?? []).entries()) this.each(['rows', 'by', index], by);
    const keys = this.report.columns.map(({ key }) => key);
    for (const [index, key] of sort.entries()) this.key(['sort', index], key.replace(/^-/, ''), keys);
    if (chart !== undefined) {
      this.figure(['chart'], chart, keys);
      if (chart.beside !== undefined) this.figure(['chart', 'beside'], chart.beside, keys);
    }
    for (const [index, role] of roles.entries())
      if (this.known.roles !== null && !this.known.roles.has(role))
        this.say(['roles', index], `未知角色 "${role}"${suggestion(role, this.known.roles)}`);
  }

  private figure(path: JsonPath, { x, y }: ReportFigure, keys: readonly string[]): void {
    this.key([...path, 'x'], x, keys);
    for (const [index, key] of y.entries()) this.key([...path, 'y', index], key, keys);
  }

  private sum(path: JsonPath, sum: ReportWith, own: PathPlace): void {
    const place = targetPlace(sum.of, this.catalog);
    if (place === null) return this.unknownSource([...path, 'of'], sum.of);
    const context = this.context(place.resource);
    lintTies(context, path, { sum, place, own, catalog: this.catalog });
    this.faults.push(...context.faults);
    this.filter([...path, 'where'], sum.where, place);
    const measures = (['sum', 'min', 'max', 'avg'] as const).filter((kind) => sum[kind] !== undefined);
    if (measures.length + (sum.count === true ? 1 : 0) !== 1)
      this.say(path, '应有 sum、count、min、max、avg 之一');
    for (const kind of measures) {
      const type = this.formula([...path, kind], sum[kind] ?? '', place);
      if ((kind === 'sum' || kind === 'avg') && !isNumeric(type)) this.say([...path, kind], '应为数字');
    }
  }

  private column(path: JsonPath, column: ReportColumn): void {
    const kinds = [
      column.value,
      measureOf(column),
      column.ratio,
      column.formula,
      column.compare,
      column.cumulative,
      column.running,
      column.abc,
    ].filter((kind) => kind !== undefined && kind !== null);
    if (kinds.length !== 1)
      return this.say(
        path,
        '列应为 value、汇总（sum 等）、ratio、formula、compare、cumulative、running、abc 之一',
      );
    const chosen = paramNamed(column.title);
    if (chosen !== null && this.report.params?.[chosen]?.options === undefined)
      this.say([...path, 'title'], `"${chosen}" 应为有选项的参数`);
    if (column.value !== undefined) this.each([...path, 'value'], column.value);
    if (column.names !== undefined) this.wordsOf([...path, 'names'], column, column.names);
    const measure = measureOf(column);
    if (measure !== null && measure.kind !== 'count') {
      const type = this.each([...path, measure.kind], measure.over);
      const isFigure = measure.kind === 'sum' || measure.kind === 'avg';
      if (isFigure && !isNumeric(type)) this.say([...path, measure.kind], '应为数字');
    }
    if (column.weight !== undefined) this.each([...path, 'weight'], column.weight);
    if (column.per !== undefined) this.each([...path, 'per'], column.per);
    if (column.currency !== undefined) this.each([...path, 'currency'], column.currency);
    for (const place of this.places) this.filter([...path, 'where'], column.where, place);
    this.reckoned(path, column);
  }

  /** Names are of what a column says; what sources say in so many words has one. */
  private wordsOf(path: JsonPath, { value }: ReportColumn, names: NonNullable<ReportColumn['names']>): void {
    if (value === undefined) return this.say(path, '只有 value 列可以有 names');
    for (const source of sourcesOf(this.report)) {
      const said = source.let?.[value];
      const word = typeof said === 'string' ? /^'([^']*)'$/.exec(said)?.[1] : undefined;
      if (word !== undefined && !Object.hasOwn(names, word))
        this.say(path, `"${word}" 没有名称${suggestion(word, Object.keys(names))}`);
    }
  }

  /** Columns over columns. */
  private reckoned(path: JsonPath, column: ReportColumn): void {
    const keys = this.report.columns.map(({ key }) => key);
    for (const [index, term] of (column.ratio ?? []).entries()) {
      const name = term.replace(/^total\./, '');
      if (!keys.includes(name)) this.each([...path, 'ratio', index], name);
    }
    for (const name of ['cumulative', 'running', 'abc'] as const) {
      const over = column[name];
      if (over !== undefined) this.key([...path, name], over, keys);
    }
    if (column.compare !== undefined) {
      this.key([...path, 'of'], column.of ?? '', keys);
      if (this.report.rows.period === undefined) this.say([...path, 'compare'], '比较需要 rows.period');
    }
    if (column.formula === undefined) return;
    const fields = Object.fromEntries(keys.map((key) => [key, plainField(key, 'decimal')]));
    const [place] = this.places;
    if (place === undefined) return;
    this.formula([...path, 'formula'], column.formula, {
      catalog: this.catalog,
      resource: { ...place.resource, fields },
    });
  }

  /** A formula that every source must understand; `{param}` stands for each name that it may give. */
  private each(path: JsonPath, text: string): ValueType {
    const param = paramNamed(text);
    if (param !== null && this.report.params?.[param]?.options === undefined)
      this.say(path, `"${param}" 应为有选项的参数`);
    let type: ValueType = NUMBER;
    for (const place of this.places)
      for (const name of namesGiven(text, this.report.params)) type = this.formula(path, name, place);
    return type;
  }

  private formula(path: JsonPath, text: string, place: PathPlace): ValueType {
    const context = this.context(place.resource);
    const given = paramTypes(this.report.params);
    const type = context.formula(path, text, context.typeScope(place, { given }));
    this.faults.push(...context.faults);
    return type;
  }

  private filter(path: JsonPath, filter: ReportSource['where'], place: PathPlace): void {
    const context = this.context(place.resource);
    lintFilter(context, path, filter, { place, record: place, given: paramTypes(this.report.params) });
    this.faults.push(...context.faults);
  }

  private freeName(path: JsonPath, name: string, { resource, lines }: PathPlace): void {
    const fields = lines === undefined ? resource.fields : (resource.fields[lines]?.fields ?? {});
    if (Object.hasOwn(fields, name))
      this.faults.push(faultAt(this.file, path, `"${name}" 已是字段名`, 'key'));
  }

  private key(path: JsonPath, key: string, keys: readonly string[]): void {
    if (!keys.includes(key)) this.say(path, `未知的列 "${key}"${suggestion(key, keys)}`);
  }

  private unknownSource(path: JsonPath, name: string): void {
    const known = Object.values(this.catalog.resources).flatMap((resource) => [
      resource.resource,
      ...Object.values(resource.fields).flatMap(({ type, name: lines }) =>
        type === 'lines' ? [`${resource.resource}.${lines}`] : [],
      ),
    ]);
    this.say(path, `未知资源 "${name}"${suggestion(name, known)}`);
  }

  private context(resource: Resource): LintContext {
    return new LintContext(this.file, resource, this.catalog, this.known);
  }

  private say(path: JsonPath, message: string): void {
    this.faults.push(faultAt(this.file, path, message));
  }
}

/** The parameters of the report beside those of the system, for `{ "$": "param.x" }`. */
function withParams(known: KnownNames, { params }: ReportDefinition): KnownNames {
  const own = Object.entries(paramTypes(params)).map(
    ([name, type]) => [name.slice('param.'.length), type] as const,
  );
  return {
    ...known,
    formulas: { ...known.formulas, params: new Map([...(known.formulas.params ?? []), ...own]) },
  };
}
