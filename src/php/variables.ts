import { urlDecode } from './encoding.ts';
import {
  decodeVariableName,
  isForgedCookieName,
  MAX_INPUT_VARS,
  mangleVariableName,
  splitQuery,
} from './query.ts';

/** What PHP holds under a name: a byte string, or an array of such. */
export type PhpValue = string | PhpArray;

/**
 * A PHP array in its own order. Integer keys stand as decimal text, which is no loss: PHP makes `"7"` and `7` one key.
 * A map, because names such as `__proto__` come from outside.
 */
export type PhpArray = ReadonlyMap<string, PhpValue>;

type MutablePhpArray = Map<string, string | MutablePhpArray>;

const MAX_NESTING = 64;
const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);
const EMPTY_ARRAY: PhpArray = new Map();

/** Variables while they are registered one after the other (php_register_variable_ex). */
export interface VariableRegistry {
  readonly values: PhpArray;
  /** @param given the name, decoded, cut at the first NUL, without leading spaces */
  register(given: string, value: string): void;
}

export function createVariableRegistry(): VariableRegistry {
  const values: MutablePhpArray = new Map();
  const nextIndex = new Map<MutablePhpArray, bigint>();
  return {
    values,
    register(given, value) {
      const { name, isArray } = mangleVariableName(given);
      if (name === '') return;
      if (!isArray) {
        setElement(values, name, value, nextIndex);
        return;
      }
      const keys = parseSubscripts(given);
      // The whole variable is given up, with what earlier ones had put there.
      if (keys === null) values.delete(name);
      else setNested(values, name, keys, value, { given, nextIndex });
    },
  };
}

/**
 * The variables that PHP reads from a query (`$_GET`) or from an urlencoded body: `parse_str` with its defaults,
 * `max_input_vars` 1000 and `max_input_nesting_level` 64. `raw` and the result are byte strings.
 */
export function parsePhpQuery(raw: string): PhpArray {
  if (raw === '') return EMPTY_ARRAY;
  const { values, register } = createVariableRegistry();
  for (const piece of splitQuery(raw, MAX_INPUT_VARS)) {
    const equals = piece.indexOf('=');
    if (equals < 0) register(decodeVariableName(piece), '');
    else register(decodeVariableName(piece.slice(0, equals)), urlDecode(piece.slice(equals + 1)));
  }
  return values;
}

/** The keys behind `name`, null for an append (`[]`). Null for the whole where they nest too deep. */
function parseSubscripts(name: string): readonly (string | null)[] | null {
  const keys: (string | null)[] = [];
  let at = name.indexOf('[');
  while (name[at] === '[') {
    if (keys.length === MAX_NESTING) return null;
    // One white-space character is skipped in looking for an empty subscript, though it stays part of a key.
    const search = isSpace(name[at + 1]) ? at + 2 : at + 1;
    const end = name.indexOf(']', search);
    // An unclosed subscript after a closed one is dropped.
    if (end < 0) break;
    keys.push(end === search ? null : name.slice(at + 1, end));
    at = end + 1;
  }
  return keys;
}

function isSpace(char: string | undefined): boolean {
  return char !== undefined && ' \t\n\v\f\r'.includes(char);
}

function setNested(
  into: MutablePhpArray,
  name: string,
  keys: readonly (string | null)[],
  value: string,
  { given, nextIndex }: { given: string; nextIndex: Map<MutablePhpArray, bigint> },
): void {
  let array = into;
  let key: string | null = name;
  for (const next of keys) {
    const found: string | MutablePhpArray | undefined = key === null ? undefined : array.get(key);
    const child: MutablePhpArray = found instanceof Map ? found : new Map();
    if (child !== found && !setElement(array, key, child, nextIndex)) return;
    // The names of protected cookies are looked for in keys too, of all places; the arrays before them stay.
    if (next !== null && isForgedCookieName(next, given)) return;
    array = child;
    key = next;
  }
  setElement(array, key, value, nextIndex);
}

/** Sets or appends; false where PHP's largest index is taken, and nothing is. */
function setElement(
  array: MutablePhpArray,
  key: string | null,
  value: string | MutablePhpArray,
  nextIndex: Map<MutablePhpArray, bigint>,
): boolean {
  const next = nextIndex.get(array) ?? 0n;
  const index = key === null ? next : integerKey(key);
  const text = key ?? String(next);
  if (key === null && array.has(text)) return false;
  array.set(text, value);
  if (index !== null && (index >= next || !nextIndex.has(array))) {
    nextIndex.set(array, index < LONG_MAX ? index + 1n : LONG_MAX);
  }
  return true;
}

/** ZEND_HANDLE_NUMERIC_STR: which text is an integer key. */
function integerKey(key: string): bigint | null {
  if (key.length > 20 || !/^(?:0|-?[1-9]\d*)$/.test(key)) return null;
  const index = BigInt(key);
  return index >= LONG_MIN && index <= LONG_MAX ? index : null;
}
