/** ISO 4217 with what a person reads. */
export const CURRENCIES: Readonly<Record<string, readonly [name: string, sign: string]>> = {
  AUD: ['Australian dollar', 'A$'],
  BRL: ['Brazilian real', 'R$'],
  CAD: ['Canadian dollar', 'C$'],
  CHF: ['Swiss franc', 'CHF'],
  CZK: ['Czech koruna', 'Kč'],
  EUR: ['Euro', '€'],
  GBP: ['Pound sterling', '£'],
  INR: ['Indian rupee', '₹'],
  JPY: ['Japanese yen', '¥'],
  NGN: ['Nigerian naira', '₦'],
  NOK: ['Norwegian krone', 'kr'],
  PLN: ['Polish złoty', 'zł'],
  SEK: ['Swedish krona', 'kr'],
  USD: ['US dollar', '$'],
};

export const CURRENCY_CODES: readonly string[] = Object.keys(CURRENCIES);

/** What a new board may be coloured in. */
export const BOARD_COLORS: readonly (readonly [name: string, value: string])[] = [
  ['Indigo', '#4c6ef5'],
  ['Teal', '#12b886'],
  ['Violet', '#7950f2'],
  ['Orange', '#f76707'],
  ['Pink', '#e64980'],
  ['Cyan', '#1098ad'],
  ['Grape', '#ae3ec9'],
  ['Gray', '#868e96'],
];
