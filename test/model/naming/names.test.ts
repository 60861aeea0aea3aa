import { describe, expect, test } from 'vitest';
import { assignOperationNames, deriveOperationName } from '../../../src/model/naming/names.ts';
import { NamespaceRanks } from '../../../src/model/naming/namespaces.ts';
import { type NamingInput, toNamingInput } from '../../../src/model/naming/phrase.ts';
import { createOperationSummary, type TitleFacts } from '../../../src/model/naming/summary.ts';
import { runSteps } from '../../../src/steps.ts';

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

describe('operations of the site itself', () => {
  test.each(
    rowsOf(`
- | GET / | getIndex | Get the index
- | POST /batch/v1 | runBatch | Run a batch
core/v2 | GET | getIndex | Get the index of core/v2
core/v2 | GET POST /posts?page | listPosts | List posts
core/v2 | POST GET /posts?page | createPost | Create a post
core/v2 | GET POST+PUT+PATCH DELETE /posts/{id} | getPost | Get a post
core/v2 | POST+PUT+PATCH GET /posts/{id} | updatePost | Update a post
core/v2 | PUT+POST+PATCH GET /posts/{id} | putPost | Update a post (PUT)
core/v2 | PATCH+POST+PUT GET /posts/{id} | patchPost | Update a post (PATCH)
core/v2 | DELETE GET /posts/{id} | deletePost | Delete a post
core/v2 | GET /posts/{parent}/revisions | listPostRevisions | List post revisions
core/v2 | GET /posts/{parent}/revisions/{id} | getPostRevision | Get a post revision
core/v2 | POST GET /posts/{id}/autosaves | createPostAutosave | Create a post autosave
wp/v2 | GET /categories/{id} | getCategory | Get a category
wp/v2 | GET POST /media?page | listMedia | List media
wp/v2 | GET /media/{id} | getMedia | Get media
wp/v2 | POST /media/{id}/edit | editMedia | Edit media
wp/v2 | POST /media/{id}/post-process | postProcessMedia | Post-process media
wp/v2 | GET /statuses | listStatuses | List statuses
wp/v2 | GET /statuses/{status} | getStatus | Get a status
wp/v2 | GET /users/me | getUserMe | Get the current user
wp/v2 | GET POST+PUT+PATCH /settings | getSettings | Get settings
wp/v2 | POST+PUT+PATCH GET /settings | updateSettings | Update settings
wp/v2 | GET /search?page | runSearch | Search the site
wp/v2 | GET /templates/lookup | lookupTemplates | Look up a template
wp/v2 | GET+POST /block-renderer/{name} | getBlockRenderer | Render a block
wp/v2 | POST+GET /block-renderer/{name} | postBlockRenderer | Render a block (POST)
wp/v2 | GET /block-types | listBlockTypes | List block types
wp/v2 | GET /block-types/{namespace} | listBlockTypesByNamespace | List block types by namespace
wp/v2 | GET /block-types/{namespace}/{name} | getBlockType | Get a block type
wp/v2 | POST /widget-types/{id}/encode | encodeWidgetType | Encode a widget type
wp/v2 | GET POST /wp_pattern_category?page | listWpPatternCategory | List pattern categories`),
  )('%s', (_, operation, expected) => {
    expect([deriveOperationName(operation), createOperationSummary(operation)]).toEqual(expected);
  });
});

describe('operations of other namespaces', () => {
  test.each(
    rowsOf(`
oembed/1.0 | GET /embed | getEmbed | Get the embed
wc/v3 | POST GET /products?page | createProduct | Create a product
wc/v3 | POST+PUT+PATCH /products/batch | runProductsBatch | Run a product batch
wc/v3 | GET /settings/{group_id} | listSettingsByGroup | List settings by group
wc/v3 | GET /settings/{group_id}/{id} | getSetting | Get a setting
ext-a/v1 | POST /abilities/{namespace}/{ability}/run | runAbility | Run an ability
ext-a/v1 | POST /chat/tools/execute | executeChatTools | Execute chat tools
ext-a/v1 | POST /chat/model-step | createChatModelStep | Run a chat model step
ext-a/v1 | GET POST+PUT+PATCH /chat/sessions/{id} | getChatSession | Get a chat session
ext-a/v1 | POST+PUT /upload | runUpload | Upload a file
ext-a/v1 | PUT+POST /upload | putUpload | Upload a file (PUT)
v1 | POST /fm/cancel | cancelFm | Cancel the FM
boards/v2 | GET | getIndex | Get the index of boards/v2
boards/v2 | GET /projects | listProjects | List projects
boards/v2 | PUT /projects/{board_id}/archive-board | archiveProjectBoard | Archive a project board
boards/v2 | PUT /projects/{board_id}/tasks/{task_id}/pin | pinProjectTask | Pin a project task
boards/v2 | PUT /projects/{board_id}/tasks/{task_id}/move-task | moveProjectTask | Move a project task
boards/v2 | PUT /projects/{board_id}/tasks/{task_id}/move-to-next-stage | moveProjectTaskToNextStage | Move a project task to the next stage
boards/v2 | PUT /projects/{board_id}/bulk-restore-tasks | bulkRestoreProjectTasks | Bulk restore project tasks
boards/v2 | PUT /projects/{board_id}/archive-stage/{stage_id} | archiveProjectStage | Archive a project stage
boards/v2 | POST /projects/{board_id}/stage-create | createProjectStage | Create a project stage
boards/v2 | POST /projects/{board_id}/upload/background-image | uploadProjectBackgroundImage | Upload a project background image
boards/v2 | PUT /projects/{board_id}/tasks/reply/{reply_id} | updateProjectTasksReply | Update a project task reply
boards/v2 | GET /projects/{board_id}/tasks/by-stage | listProjectTasksByStage | List project tasks by stage
boards/v2 | GET /tasks/boards-by-type/{type} | listTasksBoardsByType | List task boards by type
boards/v2 | GET /get-dashboard-view-settings | getDashboardViewSettings | Get dashboard view settings
boards/v2 | GET /projects/{board_id}/has-data-changed | hasProjectDataChanged | Tell whether project data changed
boards/v2 | GET /reports/tasks | getReportsTasks | Get the tasks report
boards/v2 | GET /reports/timesheet | getReportsTimesheet | Get the timesheet report
boards/v2 | PUT /projects/{board_id}/stage-move-all-task | moveProjectStageAllTask | Move all project stage tasks
boards/v2 | POST /projects/{board_id}/tasks/{task_id}/detach-yourself | detachProjectTaskYourself | Detach yourself from a project task
boards/v2 | POST /roadmaps/vote-idea/{idea_id} | voteRoadmapsIdea | Vote for a roadmap idea
boards/v2 | GET POST /tasks/task-tabs/config | getTasksTaskTabsConfig | Get task tab config
boards/v2 | POST GET /ai/settings | updateAiSettings | Update AI settings`),
  )('%s', (_, operation, expected) => {
    expect([deriveOperationName(operation), createOperationSummary(operation)]).toEqual(expected);
  });
});

describe('titles that differ from the name', () => {
  test.each(
    rowsOf(`
oembed/1.0 | GET /proxy?url | Proxy a URL
oembed/1.0 | GET /embed?url | Get the embed of a URL
a/v1 | GET /roadmaps/{id}/day-wise-ideas | List roadmap ideas by day
a/v1 | GET /roadmaps/{id}/popular-ideas | List popular roadmap ideas
a/v1 | GET /projects/user-accessible-boards | List user-accessible project boards
a/v1 | GET /tasks/crm-associated-tasks/{associated_id} | List CRM-associated tasks
a/v1 | GET /tasks/top-in-boards | List top tasks in boards
a/v1 | GET /tasks/stage/{task_id} | Get the stage of a task
a/v1 | GET /projects/{board_id}/stage-task-available-positions/{stage_id} | List available task positions of a project stage
a/v1 | PUT /stage-view/{stage_id} | Update the view of a stage
a/v1 | POST /tasks/update-cover-photo/{task_id} | Update the task cover photo
a/v1 | GET /projects/{id}/tasks/archived?page | List archived project tasks
a/v1 | GET /projects/{id}/labels/used-in-tasks | List project labels used in tasks
a/v1 | GET /projects/{id}/tasks/table?page | List project tasks as a table
a/v1 | GET /tasks/stage-page?page | Get the stage page of tasks
a/v1 | GET /global-search?page | Run a global search
a/v1 | GET /calendar?page | Get the calendar
a/v1 | GET /performance?page | Get performance
a/v1 | GET POST /calendar?page | List calendars
a/v1 | POST /projects/{id}/add-members | Add members to a project
a/v1 | POST /projects/{id}/user/{user_id}/remove | Remove a user from a project
a/v1 | PUT /stage/{stage_id}/sort-task | Sort stage tasks
a/v1 | POST /projects/{board_id}/import-from-board | Import into a project from a board
a/v1 | POST /tasks/{task_id}/dates | Set dates of a task
a/v1 | POST /chat/consent | Give chat consent
a/v1 | GET /reports/orders/totals | Get the order totals report
a/v1 | GET /reports/top_sellers?page | Get the top sellers report
a/v1 | GET /tests/page-cache | Get the page cache test
a/v1 | GET POST+PUT /settings/emails | Get email settings
a/v1 | PUT+POST GET /settings/general | Update general settings (PUT)
a/v1 | GET /data/countries/{id} | Get a country
wp/v2 | GET /block-patterns/patterns | List block patterns
wp/v2 | GET /font-families/{id}/font-faces | List font faces of a font family
wp/v2 | GET POST /product_cat?page | List product categories
wp/v2 | GET POST /faq?page | List FAQs
a/v1 | GET+POST+DELETE /abilities/{name}/run | Run an ability (GET)
a/v1 | GET /export | Export data`),
  )('%s', (_, operation, expected) => {
    expect([createOperationSummary(operation)]).toEqual(expected);
  });

  test.each<[NamingInput, TitleFacts, string]>([
    [
      input('a/v1', 'POST /labels/task'),
      { argumentNames: ['task_id', 'label_id'], hasItems: false },
      'Add a label to a task',
    ],
    [
      input('a/v1', 'PUT /projects/{board_id}/drag-stage'),
      { argumentNames: ['stage_id'], hasItems: false },
      'Drag a project stage',
    ],
    [
      input('a/v1', 'POST GET /admin/modules'),
      { argumentNames: ['crm', 'ai'], hasItems: false },
      'Update admin modules',
    ],
    [
      input('a/v1', 'POST GET /admin/folders'),
      { argumentNames: ['title'], hasItems: true },
      'Create an admin folder',
    ],
    [input('a/v1', 'GET /gradebook?page'), { argumentNames: [], hasItems: true }, 'List gradebooks'],
  ])('%o with %o is %s', (operation, facts, title) => {
    expect(createOperationSummary(operation, facts)).toBe(title);
  });
});

describe('operations of unusual routes', () => {
  test.each<[NamingInput, string]>([
    [input('a/v1', 'GET /{id}'), 'getItemById'],
    [input('wp/v2', 'DELETE /delete'), 'runDelete'],
    [input('wp/v2', 'POST /import'), 'runImport'],
    [input('wp/v2', 'POST /delete'), 'runDelete'],
    [input('a/v1', 'GET /überblick'), 'getUberblick'],
    [input('a/v1', 'GET /日本'), 'getU65e5u672c'],
    [input('a/v1', 'GET /files/{name}.{extension}'), 'getFile'],
    [input('a/v1', 'GET /file-{id}'), 'getFile'],
    [input('a/v1', 'OPTIONS /things'), 'optionsThings'],
    [toNamingInput({ ...input('a/v1', 'GET'), template: '/elsewhere/things' }), 'listElsewhereThings'],
  ])('%o is %s', (operation, name) => {
    expect(deriveOperationName(operation)).toBe(name);
  });

  test('with long names get a hash', () => {
    const long = input('a/v1', `GET /${'very-long-literal-'.repeat(12)}things`);
    expect(deriveOperationName(long)).toMatch(/^getVeryLong\w+_[a-z\d]{7}$/);
    expect(deriveOperationName(long).length).toBe(80);
    const longer = toNamingInput({ ...long, template: `${long.template}/more` });
    expect(deriveOperationName(longer)).not.toBe(deriveOperationName(long));
  });
});

describe('operations that would share a name', () => {
  const owner = new NamespaceRanks(['wc/v3']).ownerOf('wc/v3');
  const byId = {
    namingInput: input('wc/v3', 'GET /attributes/{id}'),
    pattern: '/wc/v3/attributes/(?P<id>\\d+)',
    owner,
  };
  const bySlug = {
    namingInput: input('wc/v3', 'GET /attributes/{slug}'),
    pattern: '/wc/v3/attributes/(?P<slug>\\w+)',
    owner,
  };

  test('get their parameters as a suffix, except the first', () => {
    expect(runSteps(assignOperationNames([byId, bySlug]))).toEqual(['getAttribute', 'getAttributeBySlug']);
    expect(runSteps(assignOperationNames([bySlug, byId]))).toEqual(['getAttribute', 'getAttributeById']);
  });

  test('get a hash of method and pattern if their parameters are equal', () => {
    const again = { ...byId, pattern: '/wc/v3/attributes/(?P<id>[a-f]+)' };
    const third = { ...byId, pattern: '/wc/v3/attributes/(?P<id>[g-z]+)' };
    const [first, second, last] = runSteps(assignOperationNames([byId, again, third]));
    expect([first, second]).toEqual(['getAttribute', 'getAttributeById']);
    expect(last).toBe('getWcAttribute');
    const more = ['[0-9]+', '[^/]+', '.+', '\\\\w+'].map((group) => ({
      ...byId,
      pattern: `/wc/v3/attributes/(?P<id>${group})`,
    }));
    expect(runSteps(assignOperationNames([byId, again, third, ...more])).at(-1)).toMatch(
      /^getWcV3Attribute_[a-z\d]{7}$/,
    );
  });
});
