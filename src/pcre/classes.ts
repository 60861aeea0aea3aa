import {
  type CharSet,
  complementCharSet,
  createCharSet,
  MAX_BYTE,
  MAX_CODE_POINT,
  unionCharSets,
} from './charset.ts';
import { computeClassCharSet } from './charset-of-class.ts';

/**
 * The character sets of `\d \w \s \h \v`, `[:posix:]` and `\p{…}`. In byte mode they are ASCII, because PHP runs in the C
 * locale. In Unicode mode they are Unicode's, because PHP's `u` flag sets PCRE2_UCP in addition to PCRE2_UTF.
 */
export interface CharClasses {
  readonly maxCharacter: number;
  /** Sets by the lower-case letter of the escape. */
  readonly setsByEscape: Readonly<Record<'d' | 'w' | 's' | 'h' | 'v', CharSet>>;
  getPosixSet(name: string): CharSet | null;
  /** A Unicode property as written in `\p{…}`, without `^`; `null` if JavaScript does not know it. */
  getPropertySet(name: string): CharSet | null;
}

export const DIGITS: CharSet = [[0x30, 0x39]];
export const WORD_CHARACTERS: CharSet = createCharSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
export const WHITE_SPACE: CharSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
];
const HORIZONTAL: CharSet = createCharSet([
  [0x09, 0x09],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
]);
const VERTICAL: CharSet = createCharSet([
  [0x0a, 0x0d],
  [0x85, 0x85],
  [0x2028, 0x2029],
]);

const POSIX: Readonly<Record<string, CharSet>> = {
  alnum: createCharSet([
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x61, 0x7a],
  ]),
  alpha: createCharSet([
    [0x41, 0x5a],
    [0x61, 0x7a],
  ]),
  ascii: [[0x00, 0x7f]],
  blank: createCharSet([
    [0x09, 0x09],
    [0x20, 0x20],
  ]),
  cntrl: createCharSet([
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ]),
  digit: DIGITS,
  graph: [[0x21, 0x7e]],
  lower: [[0x61, 0x7a]],
  print: [[0x20, 0x7e]],
  punct: createCharSet([
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ]),
  space: WHITE_SPACE,
  upper: [[0x41, 0x5a]],
  word: WORD_CHARACTERS,
  xdigit: createCharSet([
    [0x30, 0x39],
    [0x41, 0x46],
    [0x61, 0x66],
  ]),
};

/** POSIX classes under PCRE2_UCP (pcre2pattern(3), "POSIX character classes"), as contents of an ECMAScript class. */
const POSIX_UNICODE: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{N}',
  alpha: '\\p{L}',
  cntrl: '\\p{Cc}',
  digit: '\\p{Nd}',
  graph: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}',
  lower: '\\p{Ll}',
  print: '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Co}\\p{Zs}',
  punct: '\\p{P}$+<=>^`|~',
  upper: '\\p{Lu}',
  word: '\\p{L}\\p{N}_',
};

/** PCRE's properties that ECMAScript does not have. */
const PCRE_PROPERTIES: Readonly<Record<string, string>> = {
  Any: '\\p{Any}',
  'L&': '\\p{Lu}\\p{Ll}\\p{Lt}',
  Xan: '\\p{L}\\p{N}',
  Xwd: '\\p{L}\\p{N}_',
  Xsp: '\\p{Z}\\t\\n\\v\\f\\r\\x85\\u180e',
  Xps: '\\p{Z}\\t\\n\\v\\f\\r\\x85\\u180e',
};

const BYTES: CharClasses = {
  maxCharacter: MAX_BYTE,
  setsByEscape: {
    d: DIGITS,
    w: WORD_CHARACTERS,
    s: WHITE_SPACE,
    h: HORIZONTAL.filter(([low]) => low <= MAX_BYTE),
    v: VERTICAL.filter(([low]) => low <= MAX_BYTE),
  },
  getPosixSet: (name) => (Object.hasOwn(POSIX, name) ? (POSIX[name] ?? null) : null),
  // Without UTF, PCRE applies a property to the code points U+0000–U+00FF, one for each byte value.
  getPropertySet: (name) => {
    const all = propertySet(name);
    return all === null
      ? null
      : complementCharSet(
          unionCharSets(complementCharSet(all, MAX_CODE_POINT), [[0x100, MAX_CODE_POINT]]),
          MAX_BYTE,
        );
  },
};

const UNICODE: CharClasses = {
  maxCharacter: MAX_CODE_POINT,
  setsByEscape: {
    get d() {
      return classSet('\\p{Nd}');
    },
    get w() {
      return classSet('\\p{L}\\p{N}_');
    },
    get s() {
      return unionCharSets(HORIZONTAL, VERTICAL);
    },
    h: HORIZONTAL,
    v: VERTICAL,
  },
  getPosixSet: (name) => {
    if (name === 'space') return unionCharSets(HORIZONTAL, VERTICAL);
    if (name === 'blank') return HORIZONTAL;
    if (Object.hasOwn(POSIX_UNICODE, name)) return classSet(POSIX_UNICODE[name] ?? '');
    return BYTES.getPosixSet(name);
  },
  getPropertySet: propertySet,
};

export function getCharClasses(unicode: boolean): CharClasses {
  return unicode ? UNICODE : BYTES;
}

function propertySet(name: string): CharSet | null {
  if (Object.hasOwn(PCRE_PROPERTIES, name)) return classSet(PCRE_PROPERTIES[name] ?? '');
  if (!/^[A-Za-z_]{1,40}$/.test(name)) return null;
  for (const contents of [`\\p{${name}}`, `\\p{Script=${name}}`]) {
    try {
      return classSet(contents);
    } catch {
      // PCRE names scripts alone, ECMAScript as `Script=`.
    }
  }
  return null;
}

/** Sets by class contents. They are constants of the runtime and take milliseconds to compute. */
const classSets = new Map<string, CharSet>();

function classSet(contents: string): CharSet {
  const set = classSets.get(contents) ?? computeClassCharSet(contents);
  classSets.set(contents, set);
  return set;
}
