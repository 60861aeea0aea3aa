import { hasDirective } from '../../http/cache-directives.ts';
import type { EffectiveCacheControl } from './effective-cache-control.ts';

/** RFC 9111 §3.5: "must-revalidate, public, and s-maxage". */
const EXPLICIT_PERMISSIONS = ['must-revalidate', 'public', 's-maxage'];

/**
 * Whether a response may be shared although fields of its request may identify a client. RFC 9111 §3.5 lists the
 * directives that allow it for `Authorization`. For any other field it is also enough that the response has a targeted
 * field (RFC 9213), which is written for shared caches, or that `Vary` names the field: its value is then part of the
 * key.
 *
 * @param vary names in `Vary`, in lower case
 * @param identifyingFields see `CacheRequest.identifyingFields`
 */
export function permitsSharing(
  { directives, isTargeted }: EffectiveCacheControl,
  vary: readonly string[],
  identifyingFields: readonly string[],
): boolean {
  if (identifyingFields.length === 0) return true;
  if (EXPLICIT_PERMISSIONS.some((name) => hasDirective(directives, name))) return true;
  if (identifyingFields.includes('authorization')) return false;
  return isTargeted || identifyingFields.every((name) => vary.includes(name));
}
