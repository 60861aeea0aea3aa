// @ts-check

/**
 * Findings that no document of a site can avoid, with the reason. A finding of another rule fails.
 *
 * @type {Readonly<Record<string, string>>}
 */
const UNAVOIDABLE = {
  'info-license': 'a site states no licence of its interface',
  'info-contact': 'a site states no contact',
  'no-server-example.com': 'the documents of examples and recorded sites are of example.com',
  'no-ambiguous-paths': 'the routes are those of the site, which tries them in order',
};

/** @typedef {{ rule: string, message: string }} Finding */
/** @typedef {import('./main.mjs').ToolRun} ToolRun */

/**
 * Lints with Redocly's recommended rules.
 *
 * @param {ToolRun} run
 */
export async function lintWithRedocly({ document, documentPath, exec, write }) {
  const config = await write('redocly.yaml', 'extends: [recommended]\n');
  const flags = ['--config', config, '--format=json', '--max-problems=100000'];
  const { stdout } = await exec('@redocly/cli/bin/cli.js', ['lint', ...flags, documentPath], {
    anyExit: true,
  });
  const { problems } = JSON.parse(stdout);
  const inContexts = collectContextComponents(document);
  return report(
    problems
      .map((/** @type {any} */ { ruleId, message, location }) => ({
        rule: ruleId,
        message: `${message} ${location?.[0]?.pointer ?? ''}`,
      }))
      // The extension `x-waygate-contexts` refers to them: a client selects them by `context`.
      .filter(
        (/** @type {Finding} */ { rule, message }) =>
          rule !== 'no-unused-components' || !inContexts.has(/"(.+?)"/.exec(message)?.[1] ?? ''),
      ),
  );
}

/**
 * Lints with Spectral's rules for OpenAPI.
 *
 * @param {ToolRun} run
 */
export async function lintWithSpectral({ documentPath, exec, write }) {
  const ruleset = await write('spectral.yaml', 'extends: ["spectral:oas"]\n');
  const flags = ['lint', '--ruleset', ruleset, '--format', 'json', '--quiet'];
  const { stdout } = await exec('@stoplight/spectral-cli/dist/index.js', [...flags, documentPath], {
    anyExit: true,
  });
  return report(
    JSON.parse(stdout).map((/** @type {any} */ { code, message, path }) => ({
      rule: code,
      message: `${message} ${path.join('/')}`,
    })),
  );
}

/**
 * Validates with swagger-parser.
 *
 * @param {ToolRun} run
 */
export async function validateWithSwaggerParser({ documentPath, execModule }) {
  return execModule(`
    import SwaggerParser from '@apidevtools/swagger-parser';
    await SwaggerParser.validate(${JSON.stringify(documentPath)});
    console.log('valid');
  `);
}

/**
 * Validates and dereferences with Scalar's parser.
 *
 * @param {ToolRun} run
 */
export async function validateWithScalar({ documentPath, execModule }) {
  return execModule(`
    import { readFileSync } from 'node:fs';
    import { dereference, validate } from '@scalar/openapi-parser';
    const document = JSON.parse(readFileSync(${JSON.stringify(documentPath)}, 'utf8'));
    const { valid, errors = [] } = await validate(document);
    const dereferenced = dereference(document);
    const all = [...errors, ...(dereferenced.errors ?? [])];
    if (!valid || all.length > 0) throw new Error(JSON.stringify(all.slice(0, 3)));
    console.log('valid');
  `);
}

/** @param {any} document @returns {ReadonlySet<string>} */
function collectContextComponents(document) {
  const found = new Set();
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(/** @type {object} */ (item))) {
      for (const { $ref } of Object.values(Object(operation)['x-waygate-contexts'] ?? {})) {
        found.add(String($ref).split('/').at(-1));
      }
    }
  }
  return found;
}

/** @param {readonly Finding[]} findings */
function report(findings) {
  const left = findings.filter(({ rule }) => !Object.hasOwn(UNAVOIDABLE, rule));
  if (left.length === 0) return `clean, ${findings.length} findings that no document can avoid`;
  const lines = left.slice(0, 5).map(({ rule, message }) => `${rule}: ${message}`);
  throw new Error(`${left.length} findings\n${lines.join('\n')}`);
}
