import { describe, expect, test } from 'vitest';
import { runSteps } from '../../../../src/base/steps.ts';
import {
  assignOperationNames,
  createOperationSummary,
  type NamingInput,
  toNamingInput,
} from '../../../../src/generator/model/naming/names.ts';
import { ownerOf } from '../../../../src/generator/model/naming/namespaces.ts';

/**
 * The naming input of one operation: `POST /posts/{id}`, `POST+PUT+PATCH GET DELETE /…` for a route with several endpoints, and
 * `GET /posts?page` for one whose GET has arguments.
 */
function input(namespace: string, route: string): NamingInput {
  const [, methods = '', path = '', args] = /^([A-Z+ ]+?)(?: (\/[^?]*))?(?:\?(.*))?$/.exec(route) ?? [];
  const endpoints = methods.split(' ').map((each) => each.split('+'));
  const [endpointMethods = []] = endpoints;
  return toNamingInput({
    namespace,
    template: namespace === '' ? path : `/${namespace}${path}`,
    method: endpointMethods[0] ?? '',
    routeMethods: endpoints.flat(),
    endpointMethods,
    argumentNamesOfGet: args?.split(',') ?? [],
  });
}

const OWNER = ownerOf('wc/v3');

/** The name of an operation without others. */
const nameOf = (namingInput: NamingInput): string | undefined =>
  runSteps(assignOperationNames([{ namingInput, owner: { ...OWNER, qualifiers: [[]] } }]))[0];

/** Rows of namespace (`-` for none), route and what is expected of its first operation. */
function rowsOf(
  text: string,
): readonly (readonly [operation: string, input: NamingInput, expected: readonly string[]])[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => {
      const [namespace = '', route = '', ...expected] = line.split(' | ');
      return [`${namespace} ${route}`, input(namespace === '-' ? '' : namespace, route), expected];
    });
}

/** The operations of the site itself, then those of plugins. */
describe('an operation has a name and a summary', () => {
  test.each(
    rowsOf(`
- | GET / | getIndex | Get the index
- | POST /batch/v1 | runBatch | Run a batch
core/v2 | GET | getIndex | Get the index of core/v2
core/v2 | POST GET /posts?page | createPost | Create a post
core/v2 | POST+PUT+PATCH GET /posts/{id} | updatePost | Update a post
core/v2 | PUT+POST+PATCH GET /posts/{id} | putPost | Update a post (PUT)
core/v2 | PATCH+POST+PUT GET /posts/{id} | patchPost | Update a post (PATCH)
core/v2 | DELETE GET /posts/{id} | deletePost | Delete a post
core/v2 | GET /posts/{parent}/revisions | listPostRevisions | List post revisions
wp/v2 | GET POST /media?page | listMedia | List media
wp-abilities/v1 | GET+POST /abilities/{name}/run | getRunAbility | Run an ability (GET)
wp/v2 | POST /media/{id}/post-process | processMediaPost | Process the media post
wp/v2 | GET /users/me | getUserMe | Get the current user
wp/v2 | POST+PUT+PATCH GET /settings | updateSettings | Update settings
wp/v2 | GET /search?page | runSearch | Search
wp/v2 | GET /templates/lookup | lookupTemplates | Look up templates
wp/v2 | GET /block-types/{namespace} | listBlockTypesByNamespace | List block types by namespace
wp/v2 | GET /block-types/{namespace}/{name} | getBlockType | Get a block type
wp/v2 | GET POST /product_cat?page | listProductCat | List product categories
wc/v3 | GET /reports/orders/totals | getReportsOrderTotals | Get the order totals report
wc/v3 | POST+PUT+PATCH /products/batch | runProductsBatch | Run a product batch
wc/v3 | GET /settings/{group_id}/{id} | getSetting | Get a setting
ext-a/v1 | POST /abilities/{namespace}/{ability}/run | runAbility | Run an ability
ext-a/v1 | POST /chat/model-step | createChatModelStep | Create a chat model step
ext-a/v1 | POST+PUT /upload | runUpload | Upload
v1 | POST /fm/cancel | cancelFm | Cancel the FM
boards/v2 | PUT /projects/{board_id}/archive-board | archiveProjectBoard | Archive a project board
boards/v2 | PUT /projects/{board_id}/tasks/{task_id}/move-to-next-stage | moveProjectTaskToNextStage | Move a project task to next stage
boards/v2 | POST /projects/{board_id}/upload/background-image | uploadProjectBackgroundImage | Upload a project background image
boards/v2 | PUT /projects/{board_id}/tasks/reply/{reply_id} | updateProjectTasksReply | Update a project task reply
boards/v2 | GET /projects/{board_id}/tasks/by-stage | listProjectTasksByStage | List project tasks by stage
boards/v2 | GET /get-dashboard-view-settings | getDashboardViewSettings | Get dashboard view settings
boards/v2 | GET /projects/{board_id}/has-data-changed | hasProjectDataChanged | Tell whether the project data changed`),
  )('%s', (_, operation, expected) => {
    expect([nameOf(operation), createOperationSummary(operation)]).toEqual(expected);
  });
});

describe('operations of unusual routes', () => {
  test.each<[NamingInput, string]>([
    [input('a/v1', 'GET /{id}'), 'getItemById'],
    [input('wp/v2', 'DELETE /delete'), 'runDelete'],
    [input('wp/v2', 'POST /import'), 'runImport'],
    [input('a/v1', 'GET /%C3%BCberblick'), 'getUberblick'],
    [input('a/v1', 'GET /%D0%BE%D1%82%D0%B7%D1%8B%D0%B2%D1%8B'), 'getОтзывы'],
    [input('a/v1', 'GET /files/{name}.{extension}'), 'getFile'],
    [input('a/v1', 'OPTIONS /things'), 'optionsThings'],
    [toNamingInput({ ...input('a/v1', 'GET'), template: '/elsewhere/things' }), 'listElsewhereThings'],
  ])('%o is %s', (operation, name) => {
    expect(nameOf(operation)).toBe(name);
  });

  test('have names of at most 80 characters', () => {
    const long = input('a/v1', `GET /${'very-long-literal-'.repeat(12)}things`);
    expect(nameOf(long)).toMatch(/^getVeryLong\w{69}$/);
  });
});

describe('operations that would share a name', () => {
  const namesOf = (...routes: readonly string[]): readonly string[] =>
    runSteps(
      assignOperationNames(routes.map((route) => ({ namingInput: input('wc/v3', route), owner: OWNER }))),
    );
  const [byId, bySlug] = ['GET /attributes/{id}', 'GET /attributes/{slug}'] as const;

  test('get their parameters as a suffix, except the first', () => {
    expect(namesOf(byId, bySlug)).toEqual(['getAttribute', 'getAttributeBySlug']);
    expect(namesOf(bySlug, byId)).toEqual(['getAttribute', 'getAttributeById']);
  });

  test('with a global function get another', () => {
    for (const name of namesOf('POST /post-message', 'POST /clear-timeout'))
      expect(name).toMatch(/^(?!postMessage$|clearTimeout$)/);
  });
});
