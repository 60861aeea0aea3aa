// @ts-check

/** @typedef {import('./random.mjs').Random} Random */

/** Values that exist on most sites, by the name of the route parameter. */
const KNOWN_VALUES = {
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
const ANY_CHARACTER = [...LETTERS, ...DIGITS, '-', '_', '.', '/', '%', ' ', '~'];

/**
 * Generates a text that matches a PCRE pattern of classes, groups, alternatives and quantifiers. Assertions are ignored,
 * so a text for a pattern with assertions may not match.
 *
 * @param {string} pattern
 * @param {Random} random
 */
export function textFor(pattern, random) {
  let offset = 0;
  return alternatives();

  /** @returns {string} */
  function alternatives() {
    const options = [sequence()];
    while (pattern[offset] === '|') {
      offset += 1;
      options.push(sequence());
    }
    return random.pick(options);
  }

  function sequence() {
    let text = '';
    while (offset < pattern.length && pattern[offset] !== '|' && pattern[offset] !== ')') text += piece();
    return text;
  }

  function piece() {
    const start = offset;
    const first = atom();
    const [minimum, maximum] = quantifier();
    if (minimum === 1 && maximum === 1) return first;
    const end = offset;
    let text = '';
    for (let count = random.integer(minimum, maximum); count > 0; count--) {
      offset = start;
      text += atom();
    }
    offset = end;
    return text;
  }

  /** @returns {readonly [number, number]} */
  function quantifier() {
    const bounds = /^(?:[?*+]|\{(\d+)(,?)(\d*)\})[?+]?/.exec(pattern.slice(offset));
    if (bounds === null) return [1, 1];
    offset += bounds[0].length;
    const [character, minimum, comma, maximum] = bounds;
    if (character.startsWith('?')) return [0, 1];
    if (character.startsWith('*')) return [0, 3];
    if (character.startsWith('+')) return [1, 3];
    const low = Number(minimum);
    return comma === '' ? [low, low] : [low, maximum === '' ? low + 3 : Number(maximum)];
  }

  /** @returns {string} */
  function atom() {
    const character = pattern[offset] ?? '';
    offset += 1;
    if (character === '[') return characterClass();
    if (character === '\\') return escaped(pattern[offset++] ?? '', random);
    if (character === '.') return random.pick(ANY_CHARACTER);
    if (character === '^' || character === '$') return '';
    if (character !== '(') return character;
    const kind = /^\?(?:P?<(\w+)>|[:>|]|[=!]|<[=!])/.exec(pattern.slice(offset));
    if (kind !== null) offset += kind[0].length;
    const text = alternatives();
    offset += 1;
    if (kind !== null && /[=!]$/.test(kind[0])) return '';
    const known = kind?.[1] === undefined ? undefined : knownValues(kind[1]);
    return known !== undefined && random.chance(0.5) ? random.pick(known) : text;
  }

  function characterClass() {
    const negated = pattern[offset] === '^';
    if (negated) offset += 1;
    /** @type {string[]} */
    const members = [];
    for (let first = true; offset < pattern.length && (first || pattern[offset] !== ']'); first = false) {
      let character = pattern[offset++] ?? '';
      if (character === '\\') {
        const set = classOf(pattern[offset] ?? '');
        character = pattern[offset++] ?? '';
        if (set !== undefined) {
          members.push(...set);
          continue;
        }
      }
      if (pattern[offset] === '-' && pattern[offset + 1] !== undefined && pattern[offset + 1] !== ']') {
        offset += 1;
        const last = pattern[offset++] ?? '';
        for (let code = character.charCodeAt(0); code <= last.charCodeAt(0); code++) {
          members.push(String.fromCharCode(code));
        }
      } else members.push(character);
    }
    offset += 1;
    const allowed = negated
      ? ANY_CHARACTER.filter((character) => !members.includes(character) && character !== '/')
      : members;
    return allowed.length === 0 ? '' : random.pick(allowed);
  }
}

/** @param {string} character @param {Random} random */
function escaped(character, random) {
  const set = classOf(character);
  return set === undefined ? (/[bBAzZ]/.test(character) ? '' : character) : random.pick(set);
}

/** @param {string} character @returns {readonly string[] | undefined} */
function classOf(character) {
  return { d: DIGITS, w: WORD, s: [' '], D: LETTERS, S: LETTERS, W: ['-'] }[character];
}

/** @param {string} name @returns {readonly string[] | undefined} */
function knownValues(name) {
  return new Map(Object.entries(KNOWN_VALUES)).get(name);
}
