import type { OembedPage, OembedSource, SitePage, SitePageRequest } from '../site/definition.ts';
import { escapeHtml, htmlPage } from '../site/html.ts';
import { activeStages, activeTasksInStage, type Board, type BoardState } from './model/index.ts';

const HTML = 'text/html; charset=UTF-8';
const BOARD_PATH = /^\/boards\/(\d{1,15})\/$/;

/** Finds what a path outside the REST interface shows: an uploaded image, a page of the site, or a public board. */
export function findBoardPage({ state, path, address }: SitePageRequest<BoardState>): SitePage | null {
  const image = [...state.images.values()].find((each) => each.path === path);
  if (image !== undefined) {
    return { type: image.mimeType, body: image.bytes, headers: { 'X-Content-Type-Options': 'nosniff' } };
  }
  const board = publicBoardAt(state, path);
  if (board !== undefined) return { type: HTML, body: boardPage(state, board) };
  const page = state.pages.find((each) => each.path === path);
  if (page === undefined || page.path === '/') return null;
  const { roadmapPage } = state.settings;
  const text = roadmapPage.page_id === page.id ? roadmapPage.intro : '';
  const home = escapeHtml(address('/'));
  const main = `<h1>${escapeHtml(page.title)}</h1>\n<p>${escapeHtml(text)}</p>\n<p><a href="${home}">Home</a></p>`;
  return { type: HTML, body: htmlPage(page.title, main) };
}

/** The pages of the site and public boards, for oEmbed. */
export const boardOembed: OembedSource<BoardState> = {
  findPage(state, { pathname, origin }): OembedPage | null {
    const page = state.pages.find((each) => each.path === pathname);
    const board = publicBoardAt(state, pathname);
    const found = page ?? board;
    return found === undefined
      ? null
      : { id: found.id, title: found.title, authorName: 'Example Boards', authorUrl: `${origin}/` };
  },
};

function publicBoardAt(state: BoardState, path: string): Board | undefined {
  const [, id] = BOARD_PATH.exec(path) ?? [];
  const board = id === undefined ? undefined : state.boards.get(Number(id));
  return board?.publicAccess.enabled && board.archivedAt === null ? board : undefined;
}

function boardPage(state: BoardState, board: Board): string {
  const stages = activeStages(state, board.id).map((stage) => {
    const tasks = activeTasksInStage(state, stage.id).map(({ title }) => `<li>${escapeHtml(title)}</li>`);
    return `<h2>${escapeHtml(stage.title)}</h2>\n<ol>\n${tasks.join('\n')}\n</ol>`;
  });
  const main = `<h1>${escapeHtml(board.title)}</h1>\n<p>${escapeHtml(board.description)}</p>\n${stages.join('\n')}`;
  return htmlPage(board.title, main);
}
