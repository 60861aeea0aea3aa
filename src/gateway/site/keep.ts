import { isSameData } from '../../base/json.ts';

/** What each part was made of. */
const INPUTS = new WeakMap<object, unknown>();

/**
 * Returns the part that the site before a reload has, with all that it has learned, if it was made of equal input. Makes a new one otherwise.
 *
 *     this.limits = keep(before?.limits, input, (limits) => new SiteLimits(limits, settings));
 */
export function keep<Input, Part extends object>(
  before: NoInfer<Part> | null | undefined,
  input: Input,
  create: (input: Input) => Part,
): Part {
  if (before != null && isSameData(INPUTS.get(before), input)) return before;
  const part = create(input);
  INPUTS.set(part, input);
  return part;
}
