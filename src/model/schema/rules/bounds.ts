import { isJsonObject, type Json } from '../../../json.ts';
import { originOf, type Rule, show } from '../draft.ts';
import { asNumber, isTruthy } from '../values.ts';
import { keywordsOf } from '../vocabulary.ts';

const COUNTS = keywordsOf('count');
const NUMBERS = [...keywordsOf('number'), ...keywordsOf('divisor')];
const LIMITS = [...NUMBERS, ...COUNTS];
const FLAGS = keywordsOf('flag');

/** Numbers that limit: bounds, lengths, counts. */
export const boundRules: readonly Rule[] = [
  {
    name: 'exclusive-boolean',
    sentence: 'A boolean `exclusiveMinimum` or `exclusiveMaximum` becomes the bound that it made exclusive.',
    severity: 'info',
    on: ['exclusiveMinimum', 'exclusiveMaximum'],
    apply(draft, found) {
      for (const [exclusive, inclusive] of [
        ['exclusiveMinimum', 'minimum'],
        ['exclusiveMaximum', 'maximum'],
      ] as const) {
        const flag = draft.keywords.get(exclusive);
        if (typeof flag !== 'boolean') continue;
        const bound = draft.keywords.get(inclusive);
        draft.keywords.delete(exclusive);
        const moves = flag && bound !== undefined;
        if (moves) {
          draft.keywords.delete(inclusive);
          draft.keywords.set(exclusive, bound);
        }
        const action = moves ? `It takes the value of "${inclusive}".` : 'Dropped: it excludes nothing.';
        found(originOf(draft, exclusive), `"${exclusive}" is ${flag}.`, action);
      }
    },
  },
  {
    name: 'number-as-text',
    sentence: 'A bound or a length that is a number in a string becomes that number.',
    severity: 'info',
    on: LIMITS,
    apply(draft, found) {
      for (const keyword of LIMITS) {
        const value = draft.keywords.get(keyword);
        const number = typeof value === 'string' ? asNumber(value) : undefined;
        if (value === undefined || number === undefined) continue;
        draft.keywords.set(keyword, number);
        found(originOf(draft, keyword), `"${keyword}" is the string ${show(value)}.`, `Read as ${number}.`);
      }
    },
  },
  {
    name: 'bound-not-usable',
    sentence: 'A bound that is no number, or a length that is negative or not whole, is dropped.',
    severity: 'warning',
    on: LIMITS,
    apply(draft, found) {
      for (const keyword of LIMITS) {
        const value = draft.keywords.get(keyword);
        if (value === undefined || isBound(keyword, value)) continue;
        draft.keywords.delete(keyword);
        found(originOf(draft, keyword), `"${keyword}" is ${show(value)}.`, 'Dropped.');
      }
    },
  },
  {
    name: 'flag-not-boolean',
    sentence:
      'A flag that is not a boolean is true where PHP holds its value for true, and is dropped otherwise.',
    severity: 'info',
    on: FLAGS,
    apply(draft, found) {
      for (const keyword of FLAGS) {
        const value = draft.keywords.get(keyword);
        if (value === undefined || typeof value === 'boolean') continue;
        const truthy = isTruthy(value) && !isJsonObject(value);
        if (truthy) draft.keywords.set(keyword, true);
        else draft.keywords.delete(keyword);
        found(
          originOf(draft, keyword),
          `"${keyword}" is ${show(value)}.`,
          truthy ? 'Read as true.' : 'Dropped.',
        );
      }
    },
  },
];

function isBound(keyword: string, value: Json): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (COUNTS.includes(keyword)) return Number.isInteger(value) && value >= 0;
  return keyword !== 'multipleOf' || value > 0;
}
