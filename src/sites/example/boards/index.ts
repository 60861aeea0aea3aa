import { splitNames } from '../../../base/glob.ts';
import type { OembedPage, SiteDefinition, SitePage, SitePageRequest } from '../site/definition.ts';
import { escapeHtml, htmlPage } from '../site/pages.ts';
import { DEMO_USERS } from '../site/users.ts';
import { boardOperations } from './boards.ts';
import { commentOperations } from './comments.ts';
import { declareBoardNamespaces } from './declarations.ts';
import { imageOperations } from './images.ts';
import { labelOperations } from './labels.ts';
import { peopleOperations } from './people.ts';
import { hasRight } from './permissions.ts';
import { reportOperations } from './reports.ts';
import { roadmapOperations } from './roadmap.ts';
import { searchOperations } from './search.ts';
import { createBoardState } from './seed.ts';
import { settingOperations } from './settings.ts';
import { stageOperations } from './stages.ts';
import type { Board, BoardState } from './state.ts';
import tables from './tables.json' with { type: 'json' };
import { taskOperations } from './task-routes.ts';
import { timeOperations } from './time.ts';

const BOARD_PATH = /^\/boards\/(\d{1,15})\/$/;

function findBoardPage({ state, path, address }: SitePageRequest<BoardState>): SitePage | null {
  const image = state.images.where((each) => each.path === path)[0];
  if (image !== undefined) {
    return { type: image.mimeType, body: image.bytes, headers: { 'X-Content-Type-Options': 'nosniff' } };
  }
  const board = publicBoardAt(state, path);
  if (board !== undefined) {
    const main = `<h1>${escapeHtml(board.title)}</h1>\n<p>${escapeHtml(board.description)}</p>\n`;
    return htmlPage(escapeHtml(board.title), main + stageLists(state, board));
  }
  const page = state.pages.find((each) => each.path === path);
  if (page === undefined || page.path === '/') return null;
  const { roadmapPage, features } = state.settings;
  const isRoadmap = features.roadmaps && page.id === roadmapPage.page_id;
  const title = escapeHtml(isRoadmap ? roadmapPage.title : page.title);
  const roadmaps = state.boards.where((each) => each.kind === 'roadmap' && isPublic(each));
  const content = isRoadmap
    ? [`<p>${escapeHtml(roadmapPage.intro)}</p>`, ...roadmaps.map((each) => stageLists(state, each))]
    : [];
  const home = `<p><a href="${escapeHtml(address('/'))}">Home</a></p>`;
  return htmlPage(title, [`<h1>${title}</h1>`, ...content, home].join('\n'));
}

function findOembedPage(state: BoardState, { pathname, origin }: URL): OembedPage | null {
  const page = state.pages.find((each) => each.path === pathname);
  const found = page ?? publicBoardAt(state, pathname);
  if (found === undefined) return null;
  return { title: found.title, authorName: 'Example Boards', authorUrl: `${origin}/` };
}

function publicBoardAt(state: BoardState, path: string): Board | undefined {
  const [, id] = BOARD_PATH.exec(path) ?? [];
  const board = id === undefined ? undefined : state.boards.get(Number(id));
  return board !== undefined && isPublic(board) ? board : undefined;
}

function isPublic(board: Board): boolean {
  return hasRight(null, board, 'read');
}

function stageLists(state: BoardState, board: Board): string {
  const stages = state.activeStages(board.id).map((stage) => {
    const tasks = state.activeTasksInStage(stage.id).map(({ title }) => `<li>${escapeHtml(title)}</li>`);
    return `<h2>${escapeHtml(stage.title)}</h2>\n<ol>\n${tasks.join('\n')}\n</ol>`;
  });
  return stages.join('\n');
}

export type { BoardState } from './state.ts';

const declarations = declareBoardNamespaces({
  ...boardOperations,
  ...commentOperations,
  ...imageOperations,
  ...labelOperations,
  ...peopleOperations,
  ...reportOperations,
  ...roadmapOperations,
  ...searchOperations,
  ...settingOperations,
  ...stageOperations,
  ...taskOperations,
  ...timeOperations,
});

export const boardDefinition: SiteDefinition<BoardState> = {
  name: 'Example Boards',
  description: 'Tasks, roadmaps and the time they take',
  users: DEMO_USERS,
  linksPatterns: true,
  namespaces: splitNames(tables.namespaces),
  declarations,
  createState: createBoardState,
  findOembedPage,
  findPage: findBoardPage,
  listPages: ({ pages, boards }) => [
    ...pages
      .filter(({ path }) => path !== '/')
      .map(({ title, path }) => ({ title: escapeHtml(title), path })),
    ...boards.where(isPublic).map(({ id, title }) => ({ title: escapeHtml(title), path: `/boards/${id}/` })),
  ],
};
