// @ts-check
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Parses the options of a script as `parseArgs` does. Prints how the script is called after `--help`, and exits with 2 after an option
 * that the script doesn't have.
 *
 * @template {import('node:util').ParseArgsConfig} T
 * @param {string} from a text that says how the script is called, or `import.meta.url` of a script whose first comment says so
 * @param {T} config
 * @returns {ReturnType<typeof parseArgs<T>>}
 */
export function readOptions(from, config) {
  const usage = (from.startsWith('file:') ? readComment(from) : from).trim();
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

/** @param {string} url */
function readComment(url) {
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const comments = source.match(/(?:^\/\/.*\n)+|^\/\*\*[\s\S]*?\*\//gm) ?? [];
  const comment = comments.find((text) => /npm run|node .*scripts\//.test(text)) ?? '';
  return comment.replace(/^\/\/ @ts-check\n|^\/\/ ?|^\/\*\*\n?|^ \*[ /]?/gm, '');
}
