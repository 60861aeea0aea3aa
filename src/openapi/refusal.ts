import { ConfigurationError } from '../errors.ts';

/** What to throw where a document cannot be used: what stands at the pointer, and what should. */
export function documentError(pointer: string, what: string, advice: string): ConfigurationError {
  return new ConfigurationError(`The document cannot be used: #${pointer} ${what}; ${advice}.`);
}
