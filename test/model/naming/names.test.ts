import { describe, expect, it } from 'vitest';
import {
  assignNames,
  type OperationFacts,
  operationName,
  summaryOf,
} from '../../../src/model/naming/index.ts';

/** Facts of one operation: `POST /posts/{id}`, or `POST+PUT+PATCH GET DELETE /…` for a route with several endpoints. */
function facts(
  namespace: string,
  route: string,
  path: string,
  readArguments: readonly string[] = [],
): OperationFacts {
  const endpoints = route.split(' ').map((methods) => methods.split('+'));
  const [endpointMethods = []] = endpoints;
  return {
    namespace,
    template: namespace === '' ? path : `/${namespace}${path}`,
    method: endpointMethods[0] ?? '',
    methods: endpoints.flat(),
    endpointMethods,
    readArguments,
  };
}

const paged = ['page', 'per_page'];

describe('operations of the site itself', () => {
  it.each<[OperationFacts, string, string]>([
    [facts('', 'GET', '/'), 'getIndex', 'Get the index'],
    [facts('', 'POST', '/batch/v1'), 'runBatch', 'Run a batch'],
    [facts('core/v2', 'GET', ''), 'getCoreV2Index', 'Get the index of core/v2'],
    [facts('core/v2', 'GET POST', '/posts', paged), 'listPosts', 'List posts'],
    [facts('core/v2', 'POST GET', '/posts', paged), 'createPost', 'Create a post'],
    [facts('core/v2', 'GET POST+PUT+PATCH DELETE', '/posts/{id}'), 'getPost', 'Get a post'],
    [facts('core/v2', 'POST+PUT+PATCH GET', '/posts/{id}'), 'updatePost', 'Update a post'],
    [facts('core/v2', 'PUT+POST+PATCH GET', '/posts/{id}'), 'putPost', 'Update a post (PUT)'],
    [facts('core/v2', 'PATCH+POST+PUT GET', '/posts/{id}'), 'patchPost', 'Update a post (PATCH)'],
    [facts('core/v2', 'DELETE GET', '/posts/{id}'), 'deletePost', 'Delete a post'],
    [facts('core/v2', 'GET', '/posts/{parent}/revisions'), 'listPostRevisions', 'List post revisions'],
    [facts('core/v2', 'GET', '/posts/{parent}/revisions/{id}'), 'getPostRevision', 'Get a post revision'],
    [facts('core/v2', 'POST GET', '/posts/{id}/autosaves'), 'createPostAutosave', 'Create a post autosave'],
    [facts('wp/v2', 'GET', '/categories/{id}'), 'getCategory', 'Get a category'],
    [facts('wp/v2', 'GET POST', '/media', paged), 'listMedia', 'List media'],
    [facts('wp/v2', 'GET', '/media/{id}'), 'getMedia', 'Get media'],
    [facts('wp/v2', 'POST', '/media/{id}/edit'), 'editMedia', 'Edit media'],
    [facts('wp/v2', 'POST', '/media/{id}/post-process'), 'postProcessMedia', 'Post process media'],
    [facts('wp/v2', 'GET', '/statuses'), 'listStatuses', 'List statuses'],
    [facts('wp/v2', 'GET', '/statuses/{status}'), 'getStatus', 'Get a status'],
    [facts('wp/v2', 'GET', '/users/me'), 'getUserMe', 'Get the current user'],
    [facts('wp/v2', 'GET POST+PUT+PATCH', '/settings'), 'getSettings', 'Get settings'],
    [facts('wp/v2', 'POST+PUT+PATCH GET', '/settings'), 'updateSettings', 'Update settings'],
    [facts('wp/v2', 'GET', '/search', paged), 'search', 'Search'],
    [facts('wp/v2', 'GET', '/templates/lookup'), 'lookupTemplates', 'Look up templates'],
    [facts('wp/v2', 'GET+POST', '/block-renderer/{name}'), 'getBlockRenderer', 'Get a block renderer'],
    [
      facts('wp/v2', 'POST+GET', '/block-renderer/{name}'),
      'postBlockRenderer',
      'Get a block renderer (POST)',
    ],
    [facts('wp/v2', 'GET', '/block-types'), 'listBlockTypes', 'List block types'],
    [
      facts('wp/v2', 'GET', '/block-types/{namespace}'),
      'listBlockTypesByNamespace',
      'List block types by namespace',
    ],
    [facts('wp/v2', 'GET', '/block-types/{namespace}/{name}'), 'getBlockType', 'Get a block type'],
    [facts('wp/v2', 'POST', '/widget-types/{id}/encode'), 'encodeWidgetType', 'Encode a widget type'],
    [
      facts('wp/v2', 'GET POST', '/wp_pattern_category', paged),
      'listWpPatternCategory',
      'List WP pattern categories',
    ],
  ])('%o is %s', (operation, name, summary) => {
    expect([operationName(operation), summaryOf(operation)]).toEqual([name, summary]);
  });
});

describe('operations of other namespaces', () => {
  it.each<[OperationFacts, string, string]>([
    [facts('oembed/1.0', 'GET', '/embed'), 'getOembed10Embed', 'Get the embed'],
    [facts('wc/v3', 'POST GET', '/products', paged), 'createWcV3Product', 'Create a product'],
    [facts('wc/v3', 'POST+PUT+PATCH', '/products/batch'), 'runWcV3ProductsBatch', 'Run a product batch'],
    [facts('wc/v3', 'GET', '/settings/{group_id}'), 'listWcV3SettingsByGroup', 'List settings by group'],
    [facts('wc/v3', 'GET', '/settings/{group_id}/{id}'), 'getWcV3Setting', 'Get a setting'],
    [facts('ext-a/v1', 'POST', '/abilities/{namespace}/{ability}/run'), 'runExtAV1Ability', 'Run an ability'],
    [facts('ext-a/v1', 'POST', '/chat/tools/execute'), 'executeExtAV1ChatTools', 'Execute chat tools'],
    [facts('ext-a/v1', 'POST', '/chat/model-step'), 'createExtAV1ChatModelStep', 'Create a chat model step'],
    [
      facts('ext-a/v1', 'GET POST+PUT+PATCH', '/chat/sessions/{id}'),
      'getExtAV1ChatSession',
      'Get a chat session',
    ],
    [facts('ext-a/v1', 'POST+PUT', '/upload'), 'uploadExtAV1', 'Upload'],
    [facts('ext-a/v1', 'PUT+POST', '/upload'), 'putExtAV1Upload', 'Update the upload (PUT)'],
    [facts('v1', 'POST', '/fm/cancel'), 'cancelV1Fm', 'Cancel the fm'],
    [facts('boards/v2', 'GET', ''), 'getBoardsV2Index', 'Get the index of boards/v2'],
    [facts('boards/v2', 'GET', '/projects'), 'listBoardsV2Projects', 'List projects'],
    [
      facts('boards/v2', 'PUT', '/projects/{board_id}/archive-board'),
      'archiveBoardsV2ProjectBoard',
      'Archive a project board',
    ],
    [
      facts('boards/v2', 'PUT', '/projects/{board_id}/tasks/{task_id}/pin'),
      'pinBoardsV2ProjectTask',
      'Pin a project task',
    ],
    [
      facts('boards/v2', 'PUT', '/projects/{board_id}/tasks/{task_id}/move-task'),
      'moveBoardsV2ProjectTask',
      'Move a project task',
    ],
    [
      facts('boards/v2', 'PUT', '/projects/{board_id}/tasks/{task_id}/move-to-next-stage'),
      'moveBoardsV2ProjectTaskToNextStage',
      'Move a project task to next stage',
    ],
    [
      facts('boards/v2', 'PUT', '/projects/{board_id}/bulk-restore-tasks'),
      'bulkRestoreBoardsV2ProjectTasks',
      'Bulk restore project tasks',
    ],
    [
      facts('boards/v2', 'PUT', '/projects/{board_id}/archive-stage/{stage_id}'),
      'archiveBoardsV2ProjectStage',
      'Archive a project stage',
    ],
    [
      facts('boards/v2', 'POST', '/projects/{board_id}/stage-create'),
      'createBoardsV2ProjectStage',
      'Create a project stage',
    ],
    [
      facts('boards/v2', 'POST', '/projects/{board_id}/upload/background-image'),
      'uploadBoardsV2ProjectBackgroundImage',
      'Upload a project background image',
    ],
    [
      facts('boards/v2', 'PUT', '/projects/{board_id}/tasks/reply/{reply_id}'),
      'updateBoardsV2ProjectTasksReply',
      'Update a project task reply',
    ],
    [
      facts('boards/v2', 'GET', '/projects/{board_id}/tasks/by-stage'),
      'listBoardsV2ProjectTasksByStage',
      'List project tasks by stage',
    ],
    [
      facts('boards/v2', 'GET', '/tasks/boards-by-type/{type}'),
      'listBoardsV2TasksBoardsByType',
      'List task boards by type',
    ],
    [
      facts('boards/v2', 'GET', '/get-dashboard-view-settings'),
      'getBoardsV2DashboardViewSettings',
      'Get dashboard view settings',
    ],
    [
      facts('boards/v2', 'GET', '/projects/{board_id}/has-data-changed'),
      'hasBoardsV2ProjectDataChanged',
      'Tell whether project data changed',
    ],
    [facts('boards/v2', 'GET', '/reports/tasks'), 'getBoardsV2ReportsTasks', 'Get the tasks report'],
    [
      facts('boards/v2', 'GET', '/reports/timesheet'),
      'getBoardsV2ReportsTimesheet',
      'Get the timesheet report',
    ],
    [
      facts('boards/v2', 'PUT', '/projects/{board_id}/stage-move-all-task'),
      'moveBoardsV2ProjectStageAllTask',
      'Move all project stage tasks',
    ],
    [
      facts('boards/v2', 'POST', '/projects/{board_id}/tasks/{task_id}/detach-yourself'),
      'detachBoardsV2ProjectTaskYourself',
      'Detach yourself from a project task',
    ],
    [
      facts('boards/v2', 'POST', '/roadmaps/vote-idea/{idea_id}'),
      'voteBoardsV2RoadmapsIdea',
      'Vote for a roadmap idea',
    ],
    [
      facts('boards/v2', 'GET POST', '/tasks/task-tabs/config'),
      'getBoardsV2TasksTaskTabsConfig',
      'Get task tab config',
    ],
    [facts('boards/v2', 'POST GET', '/ai/settings'), 'updateBoardsV2AiSettings', 'Update AI settings'],
  ])('%o is %s', (operation, name, summary) => {
    expect([operationName(operation), summaryOf(operation)]).toEqual([name, summary]);
  });
});

describe('odd routes', () => {
  it.each<[OperationFacts, string]>([
    [facts('a/v1', 'GET', '/{id}'), 'getAV1ItemById'],
    [facts('wp/v2', 'DELETE', '/delete'), 'runDelete'],
    [facts('wp/v2', 'POST', '/import'), 'runImport'],
    [facts('wp/v2', 'POST', '/delete'), 'runDelete'],
    [facts('a/v1', 'GET', '/überblick'), 'getAV1Uberblick'],
    [facts('a/v1', 'GET', '/日本'), 'getAV1U65e5u672c'],
    [facts('a/v1', 'GET', '/files/{name}.{extension}'), 'getAV1File'],
    [facts('a/v1', 'GET', '/file-{id}'), 'getAV1File'],
    [facts('a/v1', 'OPTIONS', '/things'), 'optionsAV1Things'],
    [{ ...facts('a/v1', 'GET', ''), template: '/elsewhere/things' }, 'listAV1ElsewhereThings'],
  ])('%o is %s', (operation, name) => {
    expect(operationName(operation)).toBe(name);
  });

  it('with long names are cut, and told apart', () => {
    const long = facts('a/v1', 'GET', `/${'very-long-literal-'.repeat(12)}things`);
    expect(operationName(long)).toMatch(/^getAV1VeryLong\w+_[a-z\d]{7}$/);
    expect(operationName(long).length).toBe(80);
    expect(operationName({ ...long, template: `${long.template}/more` })).not.toBe(operationName(long));
  });
});

describe('operations that would share a name', () => {
  const byId = {
    facts: facts('wc/v3', 'GET', '/attributes/{id}'),
    pattern: '/wc/v3/attributes/(?P<id>\\d+)',
  };
  const bySlug = {
    facts: facts('wc/v3', 'GET', '/attributes/{slug}'),
    pattern: '/wc/v3/attributes/(?P<slug>\\w+)',
  };

  it('are told apart by their parameters, the first keeping the plain name', () => {
    expect(assignNames([byId, bySlug])).toEqual(['getWcV3Attribute', 'getWcV3AttributeBySlug']);
    expect(assignNames([bySlug, byId])).toEqual(['getWcV3Attribute', 'getWcV3AttributeById']);
  });

  it('are told apart by a hash of method and pattern where nothing else differs', () => {
    const again = { ...byId, pattern: '/wc/v3/attributes/(?P<id>[a-f]+)' };
    const third = { ...byId, pattern: '/wc/v3/attributes/(?P<id>[g-z]+)' };
    const [first, second, last] = assignNames([byId, again, third]);
    expect([first, second]).toEqual(['getWcV3Attribute', 'getWcV3AttributeById']);
    expect(last).toMatch(/^getWcV3Attribute_[a-z\d]{7}$/);
    expect(assignNames([byId, bySlug, again, third])[3]).toBe(last);
  });
});
