/** An amount in English words, as contracts and letters of credit print it: SAY US DOLLARS ONE THOUSAND TWO HUNDRED AND FIVE AND CENTS FIFTY ONLY. */

const UNITS = [
  'ZERO', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN', 'EIGHT', 'NINE', 'TEN', 'ELEVEN', 'TWELVE',
  'THIRTEEN', 'FOURTEEN', 'FIFTEEN', 'SIXTEEN', 'SEVENTEEN', 'EIGHTEEN', 'NINETEEN',
] as const; // prettier-ignore
const TENS = ['', '', 'TWENTY', 'THIRTY', 'FORTY', 'FIFTY', 'SIXTY', 'SEVENTY', 'EIGHTY', 'NINETY'] as const;
const SCALES = ['', 'THOUSAND', 'MILLION', 'BILLION', 'TRILLION'] as const;
const CURRENCY_NAMES: Readonly<Record<string, string>> = {
  USD: 'US DOLLARS',
  EUR: 'EUROS',
  GBP: 'POUNDS STERLING',
  JPY: 'JAPANESE YEN',
  HKD: 'HONG KONG DOLLARS',
  RUB: 'RUSSIAN ROUBLES',
  AUD: 'AUSTRALIAN DOLLARS',
  CAD: 'CANADIAN DOLLARS',
  CNY: 'RENMINBI YUAN',
};

/**
 * @param amount plain decimal text with at most two decimals, e.g. `1205.50`; a sign is spelt MINUS
 * @param currency ISO 4217 code; unknown ones are printed as the code
 * @returns null when the amount is not plain decimal text or reaches 10^15
 * @example amountInWords('1205.50', 'USD') // SAY US DOLLARS ONE THOUSAND TWO HUNDRED AND FIVE AND CENTS FIFTY ONLY
 */
export function amountInWords(amount: string, currency: string): string | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/.exec(amount);
  if (!match) return null;
  const [, sign, whole = '0', fraction = ''] = match;
  const cents = Number(fraction.padEnd(2, '0'));
  const words = [
    'SAY',
    CURRENCY_NAMES[currency] ?? currency,
    sign ? 'MINUS' : '',
    wholeInWords(whole),
    cents > 0 ? `AND CENTS ${belowThousand(cents)}` : '',
    'ONLY',
  ];
  return words.filter(Boolean).join(' ');
}

function wholeInWords(digits: string): string {
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const words = groups.map((group, place) => {
    const value = Number(group);
    if (value === 0) return '';
    const isTail = place === groups.length - 1 && value < 100 && groups.length > 1;
    return [isTail ? 'AND' : '', belowThousand(value), SCALES[groups.length - 1 - place]]
      .filter(Boolean)
      .join(' ');
  });
  return words.filter(Boolean).join(' ').replace(/^AND /, '') || UNITS[0];
}

function belowThousand(value: number): string {
  if (value < 20) return UNITS[value] ?? '';
  if (value < 100)
    return [TENS[Math.floor(value / 10)], value % 10 ? UNITS[value % 10] : ''].filter(Boolean).join('-');
  const rest = value % 100;
  return `${UNITS[Math.floor(value / 100)]} HUNDRED${rest ? ` AND ${belowThousand(rest)}` : ''}`;
}
