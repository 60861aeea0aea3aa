import { describeValue } from '../../../discovery/index-values.ts';
import { isJsonObject, type Json } from '../../../json.ts';
import { listKeywordsOfKind } from '../keywords.ts';
import { getOriginPointer, type SchemaRule } from '../mutable-schema.ts';
import { isPhpTruthy, toFiniteNumber } from '../values.ts';

const COUNTS = listKeywordsOfKind('count');
const NUMBERS = [...listKeywordsOfKind('number'), ...listKeywordsOfKind('divisor')];
const LIMITS = [...NUMBERS, ...COUNTS];
const FLAGS = listKeywordsOfKind('flag');

/** Rules for bounds, lengths, counts and flags. */
export const boundRules: readonly SchemaRule[] = [
  {
    name: 'exclusive-boolean',
    summary: 'A boolean `exclusiveMinimum` or `exclusiveMaximum` takes the value of its bound.',
    severity: 'info',
    triggers: ['exclusiveMinimum', 'exclusiveMaximum'],
    apply(schema, report) {
      for (const [exclusive, inclusive] of [
        ['exclusiveMinimum', 'minimum'],
        ['exclusiveMaximum', 'maximum'],
      ] as const) {
        const flag = schema.keywords.get(exclusive);
        if (typeof flag !== 'boolean') continue;
        const bound = schema.keywords.get(inclusive);
        schema.keywords.delete(exclusive);
        const moves = flag && bound !== undefined;
        if (moves) {
          schema.keywords.delete(inclusive);
          schema.keywords.set(exclusive, bound);
        }
        const action = moves ? `It takes the value of "${inclusive}".` : 'Dropped: it has no effect.';
        report(getOriginPointer(schema, exclusive), `"${exclusive}" is ${flag}.`, action);
      }
    },
  },
  {
    name: 'number-as-text',
    summary: 'A bound or a length that is a number in a string becomes that number.',
    severity: 'info',
    triggers: LIMITS,
    apply(schema, report) {
      for (const keyword of LIMITS) {
        const value = schema.keywords.get(keyword);
        const number = typeof value === 'string' ? toFiniteNumber(value) : undefined;
        if (value === undefined || number === undefined) continue;
        schema.keywords.set(keyword, number);
        report(
          getOriginPointer(schema, keyword),
          `"${keyword}" is the string ${describeValue(value)}.`,
          `Read as ${number}.`,
        );
      }
    },
  },
  {
    name: 'bound-not-usable',
    summary: 'A bound that is not a number, or a length that is negative or not an integer, is dropped.',
    severity: 'warning',
    triggers: LIMITS,
    apply(schema, report) {
      for (const keyword of LIMITS) {
        const value = schema.keywords.get(keyword);
        if (value === undefined || isBound(keyword, value)) continue;
        schema.keywords.delete(keyword);
        report(getOriginPointer(schema, keyword), `"${keyword}" is ${describeValue(value)}.`, 'Dropped.');
      }
    },
  },
  {
    name: 'flag-not-boolean',
    summary:
      'A flag that is not a boolean becomes true if PHP treats its value as true, and is dropped otherwise.',
    severity: 'info',
    triggers: FLAGS,
    apply(schema, report) {
      for (const keyword of FLAGS) {
        const value = schema.keywords.get(keyword);
        if (value === undefined || typeof value === 'boolean') continue;
        const truthy = isPhpTruthy(value) && !isJsonObject(value);
        if (truthy) schema.keywords.set(keyword, true);
        else schema.keywords.delete(keyword);
        report(
          getOriginPointer(schema, keyword),
          `"${keyword}" is ${describeValue(value)}.`,
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
