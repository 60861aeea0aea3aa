// @ts-check

/** @typedef {import('./random.mjs').Random} Random */

/** Values that stand for something on most sites, by the names of groups. */
const KNOWN = {
  type: ['post', 'page'],
  status: ['publish', 'draft'],
  taxonomy: ['category'],
  namespace: ['core'],
  name: ['paragraph', 'core/paragraph'],
  user_id: ['me', '1'],
  location: ['primary'],
};

const DIGITS = [...'0123456789'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const WORD = [...LETTERS, ...DIGITS, '_'];
const USUAL = [...LETTERS, ...DIGITS, '-', '_', '.', '/', '%', ' ', '~'];

/**
 * A text that a PCRE pattern matches, as far as classes, groups, alternatives and quantifiers go; assertions are left
 * out, so now and then it does not.
 *
 * @param {string} pattern
 * @param {Random} random
 */
export function textFor(pattern, random) {
  let at = 0;
  return alternatives();

  /** @returns {string} */
  function alternatives() {
    const options = [sequence()];
    while (pattern[at] === '|') {
      at += 1;
      options.push(sequence());
    }
    return random.pick(options);
  }

  function sequence() {
    let text = '';
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') text += piece();
    return text;
  }

  function piece() {
    const start = at;
    const first = atom();
    const [least, most] = quantifier();
    if (least === 1 && most === 1) return first;
    const end = at;
    let text = '';
    for (let count = random.integer(least, most); count > 0; count--) {
      at = start;
      text += atom();
    }
    at = end;
    return text;
  }

  /** @returns {readonly [number, number]} */
  function quantifier() {
    const bounds = /^(?:[?*+]|\{(\d+)(,?)(\d*)\})[?+]?/.exec(pattern.slice(at));
    if (bounds === null) return [1, 1];
    at += bounds[0].length;
    const [sign, least, comma, most] = bounds;
    if (sign.startsWith('?')) return [0, 1];
    if (sign.startsWith('*')) return [0, 3];
    if (sign.startsWith('+')) return [1, 3];
    const low = Number(least);
    return comma === '' ? [low, low] : [low, most === '' ? low + 3 : Number(most)];
  }

  /** @returns {string} */
  function atom() {
    const sign = pattern[at] ?? '';
    at += 1;
    if (sign === '[') return characterClass();
    if (sign === '\\') return escaped(pattern[at++] ?? '', random);
    if (sign === '.') return random.pick(USUAL);
    if (sign === '^' || sign === '$') return '';
    if (sign !== '(') return sign;
    const kind = /^\?(?:P?<(\w+)>|[:>|]|[=!]|<[=!])/.exec(pattern.slice(at));
    if (kind !== null) at += kind[0].length;
    const text = alternatives();
    at += 1;
    if (kind !== null && /[=!]$/.test(kind[0])) return '';
    const known = kind?.[1] === undefined ? undefined : knownFor(kind[1]);
    return known !== undefined && random.chance(0.5) ? random.pick(known) : text;
  }

  function characterClass() {
    const negated = pattern[at] === '^';
    if (negated) at += 1;
    /** @type {string[]} */
    const members = [];
    for (let first = true; at < pattern.length && (first || pattern[at] !== ']'); first = false) {
      let sign = pattern[at++] ?? '';
      if (sign === '\\') {
        const set = classOf(pattern[at] ?? '');
        sign = pattern[at++] ?? '';
        if (set !== undefined) {
          members.push(...set);
          continue;
        }
      }
      if (pattern[at] === '-' && pattern[at + 1] !== undefined && pattern[at + 1] !== ']') {
        at += 1;
        const last = pattern[at++] ?? '';
        for (let code = sign.charCodeAt(0); code <= last.charCodeAt(0); code++) {
          members.push(String.fromCharCode(code));
        }
      } else members.push(sign);
    }
    at += 1;
    const allowed = negated ? USUAL.filter((one) => !members.includes(one) && one !== '/') : members;
    return allowed.length === 0 ? '' : random.pick(allowed);
  }
}

/** @param {string} sign @param {Random} random */
function escaped(sign, random) {
  const set = classOf(sign);
  return set === undefined ? (/[bBAzZ]/.test(sign) ? '' : sign) : random.pick(set);
}

/** @param {string} sign @returns {readonly string[] | undefined} */
function classOf(sign) {
  return { d: DIGITS, w: WORD, s: [' '], D: LETTERS, S: LETTERS, W: ['-'] }[sign];
}

/** @param {string} name @returns {readonly string[] | undefined} */
function knownFor(name) {
  return new Map(Object.entries(KNOWN)).get(name);
}
