import { parseJson } from '../../../base/json.ts';
import { countOf } from '../../../base/text.ts';
import { tokenizeCode } from '../code-tokens.ts';
import { copyOnClick, createElement, createFold } from './dom.ts';
import { MAX_TEXT_BYTES, type ReceivedResponse } from './send.ts';

const MAX_SHOWN_TEXT = 50_000;

/** `200 OK in 75 ms, 27.7 kB` */
export function describeStatus({ content, milliseconds, response }: ReceivedResponse): string {
  return `${response.status} ${response.statusText} in ${milliseconds} ms, ${formatSize(content.size)}`;
}

export function showResponse(target: HTMLElement, received: ReceivedResponse): unknown {
  const { content, response, text } = received;
  const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const value = text === undefined || content.size > MAX_TEXT_BYTES ? undefined : parseJson(text);
  const headerFields = createScrolledCode('Header fields', fields.join('\n'));
  target.replaceChildren(
    createFold({}, countOf(fields.length, 'header field'), headerFields),
    ...createContentView(received, value),
  );
  target.scrollIntoView({ block: 'nearest' });
  return value;
}

function createContentView({ content, response, text }: ReceivedResponse, value: unknown): readonly Node[] {
  if (content.size === 0) return [];
  const [, name = 'response'] =
    /filename=\s*"?([^";]+)/i.exec(response.headers.get('content-disposition') ?? '') ?? [];
  if (text === undefined) {
    return [
      createElement('p', {}, `The content is a file (${content.type}). `, createSaveLink(content, name)),
    ];
  }
  // A number that JavaScript would round is shown as it was sent.
  const isExact = value !== undefined && !/\d{16}/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, ''));
  const shown = isExact ? JSON.stringify(value, null, 2) : text;
  const isCut = shown.length > MAX_SHOWN_TEXT;
  const copy = createElement('button', { type: 'button', class: 'button' }, 'Copy');
  copyOnClick(copy, () => text);
  const size = ` ${formatSize(content.size)}${isCut ? ', of which the beginning is shown' : ''} `;
  const action = isCut ? createSaveLink(content, name) : copy;
  const beginning = shown.slice(0, MAX_SHOWN_TEXT);
  const nodes = value === undefined ? [beginning] : createCodeNodes(beginning);
  return [
    createElement('p', { class: 'content-head' }, createElement('b', {}, 'Content'), size, action),
    createScrolledCode('Content', ...nodes),
  ];
}

function createScrolledCode(label: string, ...nodes: readonly (Node | string)[]): HTMLElement {
  const properties = { role: 'group', 'aria-label': label, tabindex: '0', translate: 'no' };
  return createElement('pre', properties, ...nodes);
}

function createSaveLink(content: Blob, name: string): HTMLElement {
  return createElement('a', { href: URL.createObjectURL(content), download: name }, 'Save all of it');
}

function formatSize(bytes: number): string {
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
}

export function showFailure(target: HTMLElement, message: string): void {
  target.replaceChildren(createElement('p', { class: 'problem', role: 'alert' }, message));
}

export function createCodeNodes(code: string): readonly (Node | string)[] {
  return tokenizeCode(code).map((token) =>
    token.look === undefined ? token.code : createElement('span', { class: token.look }, token.code),
  );
}
