// @ts-check

/**
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {import('./values.mjs').Json} Json
 * @typedef {readonly (readonly [name: string, value: Json])[]} Parameters
 */

/** Encodes parameters as a query or form body, in one of the encodings that PHP parses. */
/** @param {Parameters} parameters @param {Random} random @returns {string} */
export function urlencoded(parameters, random) {
  return pairsOf(parameters, random)
    .map(([name, value]) => `${nameText(name, random)}=${valueText(value, random)}`)
    .join('&');
}

/** @param {Parameters} parameters @param {Random} random @param {string} boundary @returns {string} */
export function multipart(parameters, random, boundary) {
  const parts = pairsOf(parameters, random)
    .filter(([name, value]) => !/["\r\n\0]/.test(name) && !value.includes(boundary))
    .map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
  return `${parts.join('')}--${boundary}--\r\n`;
}

/** @param {Parameters} parameters @param {Random} random @returns {string} */
export function json(parameters, random) {
  const members = parameters.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value, random)}`);
  // The last of two members with the same name wins.
  const [first] = members;
  if (first !== undefined && random.chance(0.03)) members.unshift(first.replace(/:.*/s, ':"shadowed"'));
  const space = random.pick(['', '', ' ', '\n']);
  return `${space}{${members.join(`,${space}`)}}${space}`;
}

/** @param {Json} value @param {Random} random @returns {string} */
function jsonText(value, random) {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e6 && random.chance(0.1)) {
    return random.pick([`${value}e0`, `${value}.5`, String(value)]);
  }
  return JSON.stringify(value);
}

/** @param {Parameters} parameters @param {Random} random @returns {[string, string][]} */
function pairsOf(parameters, random) {
  return parameters.flatMap(([name, value]) => {
    const pairs = flatten(name, value, random);
    const [first] = pairs;
    // The last of two plain parameters with the same name wins.
    return first !== undefined && !first[0].includes('[') && random.chance(0.04)
      ? [[first[0], 'shadowed'], ...pairs]
      : pairs;
  });
}

/** @param {string} name @param {Json} value @param {Random} random @returns {[string, string][]} */
function flatten(name, value, random) {
  if (value === null) return random.chance(0.5) ? [[name, '']] : [];
  if (typeof value === 'boolean')
    return [[name, value ? random.pick(['1', 'true']) : random.pick(['0', 'false'])]];
  if (typeof value !== 'object') return [[name, String(value)]];
  if (Array.isArray(value)) {
    const scalars = value.every((item) => typeof item === 'string' || typeof item === 'number');
    if (scalars && value.length > 0 && random.chance(0.3))
      return [[name, value.join(random.pick([',', ', ', ' ']))]];
    const indexed = random.chance(0.5);
    return value.flatMap((item, index) => {
      const unindexed = typeof item !== 'object' && !indexed;
      return flatten(unindexed ? `${name}[]` : `${name}[${index}]`, item, random);
    });
  }
  return Object.entries(value).flatMap(([key, member]) => flatten(`${name}[${key}]`, member, random));
}

/** Encodes a name; PHP replaces a dot or space in it with an underscore. @param {string} name @param {Random} random */
function nameText(name, random) {
  const variant = random.chance(0.06) ? name.replace('_', random.pick(['.', '+', '%20'])) : name;
  return random.chance(0.7) ? variant.replace(/[^\w.+%[\]-]/g, encodeURIComponent) : encode(variant);
}

/** @param {string} name */
function encode(name) {
  return name.replace(/[^\w.+%-]/g, encodeURIComponent);
}

/** @param {string} value @param {Random} random */
function valueText(value, random) {
  const encoded = encodeURIComponent(value.toWellFormed());
  if (random.chance(0.5)) return encoded.replaceAll('%20', '+');
  const lower = encoded.replace(/%[\dA-F]{2}/g, (octet) => octet.toLowerCase());
  return random.chance(0.2) ? lower.replaceAll('%2c', ',') : encoded;
}
