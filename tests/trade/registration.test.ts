import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCreditCode, checkResidentId } from '#trade/check-digits.ts';
import { isRegistrationMobile, normaliseRegistration, registrationProblems } from '#trade/registration.ts';

const CODE_LETTERS = '0123456789ABCDEFGHJKLMNPQRTUWXY';
const ORGANISATION_LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const texts = (letters: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: length, maxLength: length });
const births = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10).replaceAll('-', ''));

/** The endings that make a body a right number. */
const rightEndings = (body: string, letters: string, check: (text: string) => string | null) =>
  [...letters].filter((letter) => check(body + letter) === null);

describe('check digits', () => {
  it('leave exactly one ending to every body of a credit code', () => {
    fc.assert(
      fc.property(texts(CODE_LETTERS, 17), (body) => {
        expect(rightEndings(body, CODE_LETTERS, checkCreditCode)).toHaveLength(1);
      }),
    );
  });

  it('leave exactly one ending to every body of an organisation code', () => {
    fc.assert(
      fc.property(texts(ORGANISATION_LETTERS, 8), (body) => {
        expect(rightEndings(body, '0123456789X', checkCreditCode)).toHaveLength(1);
      }),
    );
  });

  it('leave exactly one ending to every body of an identity number', () => {
    fc.assert(
      fc.property(texts('0123456789', 6), births, texts('0123456789', 3), (area, birth, serial) => {
        expect(rightEndings(area + birth + serial, '0123456789X', checkResidentId)).toHaveLength(1);
      }),
    );
  });

  it('find one wrong character of a credit code', () => {
    fc.assert(
      fc.property(
        texts(CODE_LETTERS, 17),
        fc.nat(16),
        fc.constantFrom(...CODE_LETTERS),
        (body, place, letter) => {
          fc.pre(body[place] !== letter);
          const [ending = ''] = rightEndings(body, CODE_LETTERS, checkCreditCode);
          expect(
            checkCreditCode(body.slice(0, place) + letter + body.slice(place + 1) + ending),
          ).not.toBeNull();
        },
      ),
    );
  });

  it('find two neighbours of an identity number that were swapped', () => {
    fc.assert(
      fc.property(
        texts('0123456789', 6),
        births,
        texts('0123456789', 3),
        fc.nat(4),
        (area, birth, serial, place) => {
          const body = area + birth + serial;
          fc.pre(body[place] !== body[place + 1]);
          const [ending = ''] = rightEndings(body, '0123456789X', checkResidentId);
          const swapped = body.slice(0, place) + body[place + 1] + body[place] + body.slice(place + 2);
          expect(checkResidentId(swapped + ending)).not.toBeNull();
        },
      ),
    );
  });
});

describe('the registration form', () => {
  const form = {
    custname: '甲',
    corpType: '1',
    comNo: '91310115MA0DEM0077',
    psNo: '',
    coDeptnameCode: 'AA',
    linkMan: '乙',
    mobile: '13512345678',
    sms: '000000',
  };

  it('never throws, and what it passes passes again after it was normalised', () => {
    const anything = fc.record({
      custname: fc.string(),
      corpType: fc.constantFrom('1', '2', '', '3'),
      comNo: fc.string(),
      psNo: fc.string(),
      coDeptnameCode: fc.string(),
      linkMan: fc.string(),
      mobile: fc.string(),
      sms: fc.string(),
    });
    fc.assert(
      fc.property(anything, (given) => {
        const once = normaliseRegistration(given);
        expect(normaliseRegistration(once)).toEqual(once);
        expect(registrationProblems(once).every(({ message }) => message !== '')).toBe(true);
      }),
    );
  });

  it('reads codes without blanks and in upper case, and forgets the number of the other type', () => {
    const typed = { ...form, comNo: ' 9131 0115 ma0dem0077 ', psNo: '1' };
    expect(normaliseRegistration(typed)).toEqual(form);
    expect(registrationProblems(form)).toEqual([]);
  });

  it('takes mobile numbers that begin with 13, 15 or 18', () => {
    for (const mobile of ['13012345678', '15912345678', '18612345678'])
      expect(isRegistrationMobile(mobile)).toBe(true);
    for (const mobile of ['14712345678', '16612345678', '19912345678', '1351234567', '135123456789'])
      expect(isRegistrationMobile(mobile)).toBe(false);
  });
});
