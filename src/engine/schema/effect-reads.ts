import type { Filter, ResourceDefinition } from './definition.ts';
import {
  type FollowDefinition,
  type MadeFinds,
  type MakeDefinition,
  OF_RECORD,
  type OthersDefinition,
  type ValueDefinition,
  type ValueDefinitions,
} from './effects-definition.ts';
import { filterReads } from './filter-reads.ts';
import { formulaReads } from './formula-reads.ts';
import { lifecycleOf } from './standard-fields.ts';

/** A path that a construct reads of the record that declares it; with `lines` as seen from one of these. */
export interface EffectRead {
  readonly path: string;
  readonly lines: string | undefined;
}

/** Everything that limits, makes, what follows, blockers, postings, holds and vouchers of a resource read of its own record. */
export function effectReads(definition: ResourceDefinition): readonly EffectRead[] {
  const reads = new Reads();
  for (const limit of definition.limits ?? []) {
    reads.filter(limit.when, limit.each);
    reads.filter(limit.assert, limit.each);
  }
  for (const make of Object.values(definition.makes ?? {})) reads.make(make);
  for (const blocker of definition.blockers ?? []) {
    reads.filter(blocker.when, undefined);
    reads.others(blocker, undefined);
  }
  for (const list of Object.values(definition.then ?? {})) reads.follows(list);
  for (const action of Object.values(lifecycleOf(definition)?.actions ?? {})) {
    reads.follows(action.then);
    for (const values of Object.values(action.add ?? {})) reads.values(values, undefined);
    reads.follows(action.approval?.then);
    reads.follows(action.approval?.released?.filter((entry) => typeof entry !== 'string'));
  }
  for (const posting of definition.postings ?? []) {
    reads.filter(posting.when, posting.each);
    if (typeof posting.force === 'object') reads.filter(posting.force, posting.each);
    if (typeof posting.type === 'object') reads.value(posting.type.by, posting.each);
    if (posting.account?.startsWith('@') === false) reads.value(posting.account, posting.each);
    reads.value(posting.amount, posting.each);
    reads.value(posting.date, posting.each);
    reads.values(posting.set, posting.each);
  }
  reads.values(definition.everyEntry, undefined);
  for (const hold of definition.holds ?? []) {
    reads.filter(hold.when, hold.each);
    if (!hold.account.startsWith('@')) reads.value(hold.account, hold.each);
    reads.value(hold.amount, hold.each);
  }
  for (const voucher of definition.vouchers ?? []) {
    reads.filter(voucher.when, undefined);
    reads.value(voucher.date, undefined);
    for (const line of voucher.lines) {
      reads.filter(line.when, line.each);
      for (const side of [line.debit, line.credit])
        if (typeof side === 'object') reads.value(side.by, line.each);
      reads.value(line.amount, line.each);
      for (const value of Object.values(line.fc ?? {})) reads.value(value, line.each);
      for (const values of [line.with, line.withDebit, line.withCredit]) reads.values(values, line.each);
    }
  }
  return reads.found;
}

class Reads {
  readonly found: EffectRead[] = [];

  filter(filter: Filter | undefined, lines: string | undefined): void {
    const { fields, values } = filterReads(filter);
    for (const path of [...fields, ...values]) this.path(path, lines);
  }

  value(value: ValueDefinition | undefined, lines: string | undefined): void {
    if (typeof value === 'string') for (const path of formulaReads(value)) this.path(path, lines);
  }

  values(values: ValueDefinitions | undefined, lines: string | undefined): void {
    for (const value of Object.values(values ?? {})) this.value(value, lines);
  }

  make(make: MakeDefinition): void {
    this.filter(make.when, make.each);
    this.values(make.map, make.each);
    this.sourced(make.into, make.each);
    this.finds(make.find, make.each);
    for (const [name, entry] of Object.entries(make.lines ?? {})) {
      const of = entry.of === OF_RECORD ? make.each : (entry.of ?? name);
      this.filter(entry.where, of);
      this.values(entry.map, of);
      this.finds(entry.find, of);
    }
  }

  private finds(finds: MadeFinds | undefined, lines: string | undefined): void {
    for (const find of Object.values(finds ?? {})) {
      this.sourced(find.where, lines);
      this.values(find.else, lines);
    }
  }

  follows(list: readonly FollowDefinition[] | undefined): void {
    for (const entry of list ?? []) {
      this.filter(entry.when, entry.each);
      this.others(entry, entry.each);
      this.value(entry.spread, entry.each);
      const isOwn = entry.to === undefined && entry.of === undefined;
      for (const values of [entry.set, entry.inputs, ...Object.values(entry.add ?? {})])
        for (const value of Object.values(values ?? {}))
          if (isOwn) this.value(value, entry.each);
          else if (typeof value === 'string') this.sources(formulaReads(value), entry.each);
      if (entry.take !== undefined) this.sources(formulaReads(entry.take), entry.each);
    }
  }

  others(others: OthersDefinition, lines: string | undefined): void {
    if (others.to !== undefined) this.path(others.to, lines);
    if (typeof others.by === 'object') this.values(others.by, lines);
    this.sourced(others.where, lines);
  }

  /** Of a filter over other records only `source.x` (and `record.x`) is of this one. */
  private sourced(filter: Filter | undefined, lines: string | undefined): void {
    const { values } = filterReads(filter);
    this.sources(values, lines);
    for (const path of values) if (/^(record|parent)\./.test(path)) this.path(path, lines);
  }

  private sources(paths: readonly string[], lines: string | undefined): void {
    for (const path of paths) if (path.startsWith('source.')) this.path(path.slice('source.'.length), lines);
  }

  private path(path: string, lines: string | undefined): void {
    if (!/^(before|above|input|source|user|company|param)\./.test(path)) this.found.push({ path, lines });
  }
}
