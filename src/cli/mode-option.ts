import { Option } from 'commander';
import { VALIDATION_MODES } from '../validation/evidence/enforcement.ts';

/**
 * Creates the option `--mode`, which `serve`, `example` and `mock` share.
 *
 * @param note text after the description, such as the default of a configuration file
 */
export function createModeOption(note = ''): Option {
  return new Option(
    '--mode <mode>',
    `requests that violate the document: forward unvalidated, observe, refuse by known rules, or by all${note}`,
  ).choices(VALIDATION_MODES);
}
