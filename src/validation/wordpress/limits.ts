import { toPhpString } from '../../php/numeric.ts';
import type { SchemaLimits } from './compiled-schema.ts';
import { createViolation, formatCount, formatInteger, type SchemaViolation } from './violation.ts';

/** Validates a number by `multipleOf`, `minimum` and `maximum`. */
export function validateNumber(value: number, limits: SchemaLimits, param: string): SchemaViolation | null {
  const { multipleOf } = limits;
  // `fmod()` by zero is NaN, so no number is a multiple of zero.
  if (multipleOf !== undefined && value % multipleOf !== 0) {
    return createViolation(
      'rest_invalid_multiple',
      `${param} must be a multiple of ${toPhpString(multipleOf)}.`,
    );
  }
  return isWithin(value, limits)
    ? null
    : createViolation('rest_out_of_bounds', `${param} must be ${describeBounds(limits)}`);
}

function isWithin(value: number, limits: SchemaLimits): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) return false;
  return maximum === undefined || !(exclusiveMaximum ? value >= maximum : value > maximum);
}

/** Describes the bounds as WordPress does: truncated to integers, and without a full stop. */
function describeBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaLimits): string {
  if (minimum !== undefined && maximum !== undefined) {
    const [lower, upper] = [describeInclusion(exclusiveMinimum), describeInclusion(exclusiveMaximum)];
    return `between ${formatInteger(minimum)} (${lower}) and ${formatInteger(maximum)} (${upper})`;
  }
  if (minimum !== undefined) {
    return `greater than ${exclusiveMinimum ? '' : 'or equal to '}${formatInteger(minimum)}`;
  }
  return `less than ${exclusiveMaximum ? '' : 'or equal to '}${formatInteger(maximum ?? 0)}`;
}

function describeInclusion(exclusive: boolean): string {
  return exclusive ? 'exclusive' : 'inclusive';
}

/** WordPress's codes and messages for a count that is too small or too large. */
interface CountMessages {
  readonly tooFewCode: string;
  readonly tooManyCode: string;
  describe(word: 'least' | 'most', count: string, isOne: boolean): string;
}

const contain =
  (singular: string, plural: string): CountMessages['describe'] =>
  (word, count, isOne) =>
    `must contain at ${word} ${count} ${isOne ? singular : plural}.`;

const COUNT_MESSAGES: Readonly<Record<'characters' | 'items' | 'properties', CountMessages>> = {
  characters: {
    tooFewCode: 'rest_too_short',
    tooManyCode: 'rest_too_long',
    describe: (word, count, isOne) =>
      `must be at ${word} ${count} ${isOne ? 'character' : 'characters'} long.`,
  },
  items: {
    tooFewCode: 'rest_too_few_items',
    tooManyCode: 'rest_too_many_items',
    describe: contain('item', 'items'),
  },
  properties: {
    tooFewCode: 'rest_too_few_properties',
    tooManyCode: 'rest_too_many_properties',
    describe: contain('property', 'properties'),
  },
};

/** Validates the number of characters, items or properties of a value. */
export function validateCount(
  counted: 'characters' | 'items' | 'properties',
  count: number,
  least: number | undefined,
  most: number | undefined,
  param: string,
): SchemaViolation | null {
  const { describe, tooFewCode, tooManyCode } = COUNT_MESSAGES[counted];
  if (least !== undefined && count < least) {
    return createViolation(tooFewCode, `${param} ${describe('least', formatCount(least), least === 1)}`);
  }
  if (most !== undefined && count > most) {
    return createViolation(tooManyCode, `${param} ${describe('most', formatCount(most), most === 1)}`);
  }
  return null;
}
