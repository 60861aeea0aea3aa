import { capitalize } from '../model/naming/words.ts';
import { UniqueNames } from '../unique-names.ts';
import { escapeInvisible } from './print.ts';

/** Names that the text of the module uses. No type of the site gets one of them. */
const RESERVED_NAMES: readonly string[] = [
  ...['ArrayBuffer', 'Bytes', 'Date', 'Pick', 'Promise', 'QueryBoolean', 'QueryNumber', 'QueryNumbers'],
  ...['QueryWords', 'Uint8Array', 'components', 'operations', 'paths'],
];

const MAX_NAME_LENGTH = 120;

/** Allocates unique type names, as close to the wanted name as TypeScript allows. */
export class TypeNameAllocator {
  readonly #names: UniqueNames;

  constructor(reserved: readonly string[] = []) {
    this.#names = new UniqueNames([...RESERVED_NAMES, ...reserved]);
  }

  /** @param alternatives names to try before a number is added to the wanted one */
  allocate(wanted: string, ...alternatives: readonly string[]): string {
    return this.#names.claim(toTypeName(wanted), ...alternatives.map(toTypeName));
  }
}

/**
 * Creates a type name from any text: its words joined, each with a capital letter. A text that is a type name already is
 * unchanged, so `WC_Order` keeps its name and `post-edit` becomes `PostEdit`. The capital letter also avoids keywords and
 * primitive types (`string`, `default`). A name can shadow a global (`Error`, `Date`), because the module uses none.
 */
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

/** A property name as TypeScript writes it: quoted only if it has to be. */
export function toPropertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : toStringLiteral(name);
}

/** A string literal in which control, bidirectional and invisible characters are escaped. */
export function toStringLiteral(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}
