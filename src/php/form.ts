const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const;

/**
 * Whether PHP may read a request's body into `$_POST`, where WordPress also looks for `rest_route`. Wider than PHP, which
 * wants the exact type: what is treated as a form without being one is only addressed more carefully.
 */
export function isForm(method: string, contentType: string): boolean {
  if (method.length !== 4 || method.toUpperCase() !== 'POST') return false;
  const type = contentType.trimStart().toLowerCase();
  return FORM_TYPES.some((form) => type.startsWith(form));
}
