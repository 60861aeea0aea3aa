// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {import('../../src/cli/config/settings.ts').Setting} Setting
 */

/**
 * Adds the texts of the settings to the declarations of their types, where editors show them.
 *
 * @param {string} dist
 */
export async function addOptionTexts(dist) {
  const { SETTINGS } = await import(pathToFileURL(join(dist, 'cli/config/settings.js')).href);
  const file = join(dist, 'base/option-types.d.ts');
  const declarations = listGroups(SETTINGS.serve)
    .concat(listGroups(SETTINGS.generate))
    .reduce(addTexts, readFileSync(file, 'utf8'));
  writeFileSync(file, declarations);
}

/** @param {Setting} setting @returns {readonly Setting[]} */
function listGroups({ additionalProperties, anyOf = [], items, properties, ...setting }) {
  const inner = [...anyOf, ...Object.values(properties ?? {}), items, additionalProperties];
  const groups = inner.flatMap((each) => (each ? listGroups(each) : []));
  return properties === undefined ? groups : [{ ...setting, properties }, ...groups];
}

/** @param {string} declarations @param {Setting} group */
function addTexts(declarations, { properties = {}, required = [], title = '', ...group }) {
  const stated = `${title.replace(/(?:Config|Options)$/, '') || 'Gateway'}Settings`;
  return declarations.replace(
    new RegExp(`(?<!\\*/\\n)export interface (?:${title}|${stated}) \\{[^}]*\\}`),
    (declaration) =>
      toComment(describe(group, true), '') +
      declaration.replace(
        /^ +readonly (\w+)\??:/gm,
        (line, /** @type {string} */ name) =>
          toComment(describe(properties[name] ?? {}, required.includes(name)), '    ') + line,
      ),
  );
}

/** @param {Setting} setting @param {boolean} isPresent whether it has no default */
function describe({ default: preset, description = '' }, isPresent) {
  const [text = '', unset] = description.split(/ ?\bUnset: (.*)\.(?= Prefer|$)/);
  // Every list that nobody states is empty.
  const hasPreset = preset !== undefined && !Array.isArray(preset) && JSON.stringify(preset) !== '{}';
  const value = unset ?? (hasPreset ? JSON.stringify(preset) : undefined);
  return isPresent || value === undefined ? text : `${text}\n@default ${value}`;
}

/** @param {string} text @param {string} indent */
function toComment(text, indent) {
  if (text === '') return '';
  return `${indent}/**\n${text.replace(/^/gm, `${indent} * `)}\n${indent} */\n`;
}
