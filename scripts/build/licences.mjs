// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bundle.mjs';

/** The licences of packages, each text once, and each of its paragraphs in a line. @param {readonly string[]} names */
export function licencesOf(names) {
  /** @type {Map<string, string[]>} */
  const packages = new Map();
  for (const name of names) {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.\w+)?$/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no file with its licence`);
    const text = readFileSync(join(folder, file), 'utf8')
      .trim()
      .replace(/(?<=\S)[ \t]*\r?\n[ \t]*(?=\S)/g, ' ');
    packages.set(text, [...(packages.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...packages].map(([text, named]) => `${named.join('\n')}\n\n${text}`).join('\n\n');
}
