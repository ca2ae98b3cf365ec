import { describe, expect, it } from 'vitest';
import { stateTone } from '#web/pages/table/state-colors.ts';

describe('the tone of a state', () => {
  it('is what its definition says, whatever its key is', () => {
    expect(stateTone('overdue', 'red')).toBe('bad');
    expect(stateTone('amending', 'orange')).toBe('warning');
    expect(stateTone('normal', 'green')).toBe('good');
  });

  it('is grey by definition, struck through only where nothing came of the document', () => {
    expect(stateTone('repaid', 'default')).toBe('neutral');
    expect(stateTone('cancelled', 'default')).toBe('off');
  });

  it('goes by the key where the definition says nothing', () => {
    expect(stateTone('bank_failed')).toBe('bad');
    expect(stateTone('paying')).toBe('running');
  });
});
