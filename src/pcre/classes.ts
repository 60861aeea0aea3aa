import { type CharSet, charSet, complement, MAX_BYTE, MAX_CODE_POINT, union } from './charset.ts';
import { contentsSet } from './contents-set.ts';

/**
 * The sets behind `\d \w \s \h \v`, `[:posix:]` and `\p{…}`. In byte mode they are ASCII (PHP runs in the C locale);
 * in Unicode mode they are Unicode's, because PHP's `u` flag sets PCRE2_UCP beside PCRE2_UTF.
 */
export interface CharClasses {
  readonly max: number;
  /** By the letter of the escape, lower case. */
  readonly escapes: Readonly<Record<'d' | 'w' | 's' | 'h' | 'v', CharSet>>;
  posix(name: string): CharSet | null;
  /** A Unicode property as it stands in `\p{…}`, without `^`; null where this engine does not know it. */
  property(name: string): CharSet | null;
}

export const DIGIT: CharSet = [[0x30, 0x39]];
export const WORD: CharSet = charSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
export const SPACE: CharSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
];
const HORIZONTAL: CharSet = charSet([
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
const VERTICAL: CharSet = charSet([
  [0x0a, 0x0d],
  [0x85, 0x85],
  [0x2028, 0x2029],
]);

const POSIX: Readonly<Record<string, CharSet>> = {
  alnum: charSet([
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x61, 0x7a],
  ]),
  alpha: charSet([
    [0x41, 0x5a],
    [0x61, 0x7a],
  ]),
  ascii: [[0x00, 0x7f]],
  blank: charSet([
    [0x09, 0x09],
    [0x20, 0x20],
  ]),
  cntrl: charSet([
    [0x00, 0x1f],
    [0x7f, 0x7f],
  ]),
  digit: DIGIT,
  graph: [[0x21, 0x7e]],
  lower: [[0x61, 0x7a]],
  print: [[0x20, 0x7e]],
  punct: charSet([
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ]),
  space: SPACE,
  upper: [[0x41, 0x5a]],
  word: WORD,
  xdigit: charSet([
    [0x30, 0x39],
    [0x41, 0x46],
    [0x61, 0x66],
  ]),
};

/** What the POSIX names mean under PCRE2_UCP (pcre2pattern(3), "POSIX character classes"), as ECMA class contents. */
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

/** PCRE's own properties that ECMA has no name for. */
const OWN_PROPERTIES: Readonly<Record<string, string>> = {
  Any: '\\p{Any}',
  'L&': '\\p{Lu}\\p{Ll}\\p{Lt}',
  Xan: '\\p{L}\\p{N}',
  Xwd: '\\p{L}\\p{N}_',
  Xsp: '\\p{Z}\\t\\n\\v\\f\\r\\x85\\u180e',
  Xps: '\\p{Z}\\t\\n\\v\\f\\r\\x85\\u180e',
};

const BYTES: CharClasses = {
  max: MAX_BYTE,
  escapes: {
    d: DIGIT,
    w: WORD,
    s: SPACE,
    h: HORIZONTAL.filter(([low]) => low <= MAX_BYTE),
    v: VERTICAL.filter(([low]) => low <= MAX_BYTE),
  },
  posix: (name) => (Object.hasOwn(POSIX, name) ? (POSIX[name] ?? null) : null),
  // Without UTF a property still asks about U+0000–U+00FF, which is what a byte is to PCRE.
  property: (name) => {
    const all = propertySet(name);
    return all === null
      ? null
      : complement(union(complement(all, MAX_CODE_POINT), [[0x100, MAX_CODE_POINT]]), MAX_BYTE);
  },
};

const UNICODE: CharClasses = {
  max: MAX_CODE_POINT,
  escapes: {
    get d() {
      return setOf('\\p{Nd}');
    },
    get w() {
      return setOf('\\p{L}\\p{N}_');
    },
    get s() {
      return union(HORIZONTAL, VERTICAL);
    },
    h: HORIZONTAL,
    v: VERTICAL,
  },
  posix: (name) => {
    if (name === 'space') return union(HORIZONTAL, VERTICAL);
    if (name === 'blank') return HORIZONTAL;
    if (Object.hasOwn(POSIX_UNICODE, name)) return setOf(POSIX_UNICODE[name] ?? '');
    return BYTES.posix(name);
  },
  property: propertySet,
};

export function classesFor(unicode: boolean): CharClasses {
  return unicode ? UNICODE : BYTES;
}

function propertySet(name: string): CharSet | null {
  if (Object.hasOwn(OWN_PROPERTIES, name)) return setOf(OWN_PROPERTIES[name] ?? '');
  if (!/^[A-Za-z_]{1,40}$/.test(name)) return null;
  for (const contents of [`\\p{${name}}`, `\\p{Script=${name}}`]) {
    try {
      return setOf(contents);
    } catch {
      // Not a property under this spelling: PCRE writes scripts bare, ECMA as `Script=`.
    }
  }
  return null;
}

/** What comes out of the search is a constant of the runtime and is kept as one. */
const computed = new Map<string, CharSet>();

function setOf(contents: string): CharSet {
  const set = computed.get(contents) ?? contentsSet(contents);
  computed.set(contents, set);
  return set;
}
