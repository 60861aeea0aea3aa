import { toPhpString } from '../../php/numeric.ts';
import type { SchemaLimits } from './compiled-schema.ts';
import { createViolation, formatInteger, type SchemaViolation } from './violation.ts';

export function validateNumber(value: number, limits: SchemaLimits, param: string): SchemaViolation | null {
  const { multipleOf } = limits;
  // `fmod()` by zero is NaN, so nothing is a multiple of it.
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

/** Without a full stop, and with the bounds cut to whole numbers, as WordPress has it. */
function describeBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaLimits): string {
  if (minimum !== undefined && maximum !== undefined) {
    const [lower, upper] = [describeInclusion(exclusiveMinimum), describeInclusion(exclusiveMaximum)];
    return `between ${formatInteger(minimum)} (${lower}) and ${formatInteger(maximum)} (${upper})`;
  }
  if (minimum !== undefined)
    return `greater than ${exclusiveMinimum ? '' : 'or equal to '}${formatInteger(minimum)}`;
  return `less than ${exclusiveMaximum ? '' : 'or equal to '}${formatInteger(maximum ?? 0)}`;
}

function describeInclusion(exclusive: boolean): string {
  return exclusive ? 'exclusive' : 'inclusive';
}
