/** Names and symbols by ISO 4217 code. */
export const CURRENCIES: Readonly<Record<string, readonly [name: string, symbol: string]>> = {
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
