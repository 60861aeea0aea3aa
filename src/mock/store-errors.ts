import type { RestResponse } from '../rest-server/declarations.ts';
import { errorOf } from './lists.ts';
import ERRORS from './store-errors.json' with { type: 'json' };

/** Creates an error of WooCommerce. @param values what its message names, in order */
export function storeError(name: keyof typeof ERRORS, ...values: readonly (string | number)[]): RestResponse {
  const { code, message, status } = ERRORS[name];
  const texts = values.values();
  return errorOf(
    status,
    code,
    message.replace(/%s/g, () => String(texts.next().value ?? '')),
  );
}
