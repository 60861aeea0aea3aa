import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { assignOperationNames, type OperationToName } from '../../../src/model/naming/names.ts';
import { NamespaceRanks } from '../../../src/model/naming/namespaces.ts';
import { toNamingInput } from '../../../src/model/naming/phrase.ts';
import { runSteps } from '../../../src/steps.ts';
import { readRecorded } from '../../support/recorded-indexes.ts';

const { routes } = readRecorded('wordpress-7.1-index-help.json');
const recorded = Object.entries(Object(routes) as Readonly<Record<string, RecordedRoute>>);

interface RecordedRoute {
  readonly namespace: string;
  readonly endpoints: readonly { readonly methods: readonly string[]; readonly args: JsonObject }[];
}

const RANKS = new NamespaceRanks(recorded.map(([, { namespace }]) => namespace));

/** A simplified template: every named group as its name. */
function templateOf(pattern: string): string {
  let depth = 0;
  let template = '';
  for (const [part] of pattern.matchAll(/\\.|\[(?:\\.|[^\]])*\]|\(\?P<\w+>|\(|\)|[^\\[()]+/g)) {
    if (part === ')') depth -= 1;
    else if (depth === 0 && !part.startsWith('(')) template += part;
    else if (depth === 0) template += `{${part.slice(4, -1)}}`;
    if (part.startsWith('(')) depth += 1;
  }
  return template;
}

const operations: readonly OperationToName[] = recorded.flatMap(([pattern, { namespace, endpoints }]) =>
  endpoints.flatMap(({ methods: endpointMethods }) =>
    endpointMethods.map((method) => ({
      pattern,
      owner: RANKS.ownerOf(namespace),
      namingInput: toNamingInput({
        namespace,
        template: templateOf(pattern),
        method,
        routeMethods: endpoints.flatMap(({ methods }) => methods),
        endpointMethods,
        argumentNamesOfGet: Object.keys(endpoints.find(({ methods }) => methods.includes('GET'))?.args ?? {}),
      }),
    })),
  ),
);

describe('the operations of WordPress 7.1', () => {
  const names = runSteps(assignOperationNames(operations));

  test('have unique names', () => {
    expect(names.length).toBe(257);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each([
    ['GET', '/wp/v2/font-families/{font_family_id}/font-faces/{id}', 'getFontFamilyFontFace'],
    ['GET', '/wp/v2/global-styles/themes/{stylesheet}/variations', 'listGlobalStyleThemeVariations'],
    ['POST', '/wp/v2/users/{user_id}/application-passwords', 'createUserApplicationPassword'],
    ['DELETE', '/wp/v2/users/{user_id}/application-passwords', 'deleteUserApplicationPasswords'],
    ['GET', '/wp/v2/icons/{collection}', 'listIconsByCollection'],
    ['GET', '/wp/v2/icons/{name}', 'getIcon'],
    ['GET', '/wp-site-health/v1/tests/background-updates', 'getTestsBackgroundUpdates'],
    ['POST', '/wp-abilities/v1/abilities/{name}/run', 'runAbility'],
    ['GET', '/wp-abilities/v1/abilities/{name}/run', 'getAbilityRun'],
    ['GET', '/wp/v2/block-directory/search', 'searchBlockDirectory'],
  ])('%s %s is %s', (method, template, name) => {
    const index = operations.findIndex(
      ({ namingInput }) => namingInput.method === method && namingInput.template === template,
    );
    expect(names[index]).toBe(name);
  });
});
