import { UniqueNames } from '../../base/unique-names.ts';
import { capitalize } from '../model/naming/words.ts';

const RESERVED_NAMES: readonly string[] = [
  ...['ArrayBuffer', 'Bytes', 'Date', 'Pick', 'Promise', 'QueryBoolean', 'QueryNumber', 'QueryNumbers'],
  ...['QueryWords', 'Uint8Array', 'components', 'operations', 'paths'],
];

const MAX_NAME_LENGTH = 120;

/** Unique type names, as close to the wanted ones as TypeScript allows. */
export class TypeNameAllocator {
  readonly #names: UniqueNames;

  constructor(reserved: readonly string[] = []) {
    this.#names = new UniqueNames([...RESERVED_NAMES, ...reserved]);
  }

  /** @param alternatives names to try before adding a number */
  allocate(wanted: string, ...alternatives: readonly string[]): string {
    return this.#names.claim(toTypeName(wanted), ...alternatives.map(toTypeName));
  }
}

/** `post-edit` becomes `PostEdit`, and `WC_Order` stays. Capitals avoid keywords; globals can be shadowed. */
export function toTypeName(text: string): string {
  const words = text
    .normalize('NFC')
    .replace(/[\u{10000}-\u{10ffff}]/gu, '')
    .split(/[^\p{ID_Start}\p{Nd}_$]+/u)
    .filter((word) => word !== '');
  const joined = words.map(capitalize).join('').slice(0, MAX_NAME_LENGTH);
  if (joined === '') return 'Unnamed';
  return /^[\p{ID_Start}_$]/u.test(joined) ? joined : `_${joined}`;
}

export function toPropertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : toStringLiteral(name);
}

/** Characters that are invisible or change the direction of text (CVE-2021-42574). */
const INVISIBLE = /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Invisible characters are escaped. */
export function toStringLiteral(text: string): string {
  return JSON.stringify(text).replace(
    INVISIBLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
