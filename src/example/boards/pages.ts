import type { OutsideAnswer, OutsideRequest } from '../site/definition.ts';
import { escapeHtml, htmlPage } from '../site/html.ts';
import type { EmbeddedPage, OembedSource } from '../site/oembed-source.ts';
import { stagesOf, tasksOf } from './model/positions.ts';
import type { Board, BoardState } from './model/types.ts';

const HTML = 'text/html; charset=UTF-8';
const BOARD_PATH = /^\/boards\/(\d{1,15})\/$/;

/** Pictures that were sent, the site's pages, and a page for each board that is open to everybody. */
export function answerOutside({ state, path, address }: OutsideRequest<BoardState>): OutsideAnswer | null {
  const image = [...state.images.values()].find((each) => each.path === path);
  if (image !== undefined) {
    return { type: image.type, body: image.bytes, headers: { 'X-Content-Type-Options': 'nosniff' } };
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

/** oEmbed knows the site's pages and public boards. */
export const OEMBED: OembedSource<BoardState> = {
  find(state, { pathname, origin }): EmbeddedPage | null {
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
  const stages = stagesOf(state, board.id).map((stage) => {
    const tasks = tasksOf(state, stage.id).map(({ title }) => `<li>${escapeHtml(title)}</li>`);
    return `<h2>${escapeHtml(stage.title)}</h2>\n<ol>\n${tasks.join('\n')}\n</ol>`;
  });
  const main = `<h1>${escapeHtml(board.title)}</h1>\n<p>${escapeHtml(board.description)}</p>\n${stages.join('\n')}`;
  return htmlPage(board.title, main);
}
