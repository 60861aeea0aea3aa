import { countOf, formatNumber } from '../../count-of.ts';
import { parseJson } from '../../json.ts';
import { explainCacheStatus } from '../../ui/cache-words.ts';
import { shorten } from '../../ui/text.ts';
import { type CodeLanguage, type TokenKind, tokenizeCode, toTokenClass } from '../code-tokens.ts';
import { copyOnClick, createElement, createFold, toStatusClass } from './dom.ts';
import { MAX_TEXT_BYTES, type ReceivedResponse } from './send.ts';

/** Longer texts that are no JSON are cut. */
const MAX_PLAIN_TEXT = 50_000;

/** `200 OK in 75 ms, 27.7 kB` */
export function describeStatus({ content, milliseconds, response }: ReceivedResponse): string {
  return `${response.status} ${response.statusText} in ${milliseconds} ms, ${formatSize(content.size)}`;
}

/**
 * Shows a response below its form.
 *
 * @returns its content as JSON value; `undefined` if it is none, or too large
 */
export function showResponse(form: HTMLElement, target: HTMLElement, received: ReceivedResponse): unknown {
  const { content, milliseconds, response, text } = received;
  const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  // Errors are hardly ever stored, so nobody asks why.
  const explanation = response.ok ? explainCacheStatus(response.headers.get('cache-status')) : '';
  const value = text === undefined || content.size > MAX_TEXT_BYTES ? undefined : parseJson(text);
  const statusText = `${response.status} ${response.statusText}`;
  const status = createElement('b', { class: `status ${toStatusClass(response.status)}` }, statusText);
  const headerFields = createElement('pre', { tabindex: '0' }, fields.join('\n'));
  target.replaceChildren(
    createElement('p', {}, status, ` in ${milliseconds} ms`),
    ...(explanation === '' ? [] : [createElement('p', { class: 'aside' }, explanation)]),
    createFold({}, countOf(fields.length, 'header field'), headerFields),
    ...createContentView(received, value),
  );
  if (response.status === 401) askForCredentials(form, target);
  target.scrollIntoView({ block: 'nearest' });
  return value;
}

function createContentView({ content, text }: ReceivedResponse, value: unknown): readonly Node[] {
  if (content.size === 0) return [];
  if (text === undefined) {
    return [createElement('p', {}, `The content is a file (${content.type}). `, createSaveLink(content))];
  }
  const isCut = value === undefined && text.length > MAX_PLAIN_TEXT;
  const copy = createElement('button', { type: 'button', class: 'button' }, 'Copy');
  copyOnClick(copy, () => text);
  const size = ` ${formatSize(content.size)}${isCut ? ', of which the beginning is shown' : ''} `;
  const action = isCut ? createSaveLink(content) : copy;
  return [
    createElement('p', { class: 'content-head' }, createElement('b', {}, 'Content'), size, action),
    value === undefined
      ? createElement('pre', { tabindex: '0' }, text.slice(0, MAX_PLAIN_TEXT))
      : createJsonView(value),
  ];
}

/** A link that saves a content. Its URL is valid until the page is left. */
function createSaveLink(content: Blob): HTMLElement {
  return createElement('a', { href: URL.createObjectURL(content), download: 'response' }, 'Save all of it');
}

function formatSize(bytes: number): string {
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
}

/** Opens the fields of the credentials, and says so. */
function askForCredentials(form: HTMLElement, target: HTMLElement): void {
  const credentials = form.querySelector<HTMLDetailsElement>('[data-credentials]');
  if (credentials === null) return;
  credentials.open = true;
  const isFilled = Array.from(credentials.querySelectorAll('input')).some(({ value }) => value !== '');
  const onclick = () => credentials.querySelector('input')?.focus();
  const link = createElement('button', { type: 'button', class: 'button', onclick }, 'Enter credentials');
  const words = isFilled ? 'The site did not accept these credentials. ' : 'The site asks for credentials. ';
  target.prepend(createElement('p', {}, words, link));
}

/** Shows why there is no response. */
export function showFailure(target: HTMLElement, message: string): void {
  target.replaceChildren(createElement('p', { class: 'problem', role: 'alert' }, message));
}

/** Nodes that are created at once, two levels deep. Objects beyond it are folded, and created when they are opened. */
const MAX_NODES = 300;
/** Members of an object or a list that are shown at once. */
const MAX_MEMBERS = 100;
/** Objects with more members are folded at first. */
const MAX_OPEN_MEMBERS = 40;
/** Longer texts are cut. */
const MAX_TEXT = 2_000;

/** Shows a JSON value: objects and lists fold, and what is deep or too much is created when it is opened. */
function createJsonView(value: unknown): HTMLElement {
  // Its box scrolls, so it can be focused.
  const properties = { class: 'json', role: 'group', 'aria-label': 'Content', tabindex: '0' };
  return createElement('div', properties, createNode(value, Number.POSITIVE_INFINITY));
}

/** @param maxOpen members of an object or a list that is open at first */
function createNode(value: unknown, maxOpen: number): Node | string {
  if (typeof value === 'string') return createText(value);
  if (typeof value !== 'object' || value === null) return createCodeNode('word', String(value));
  const kind = Array.isArray(value) ? 'list' : 'object';
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  if (members.length === 0) return kind === 'list' ? '[]' : '{}';
  const list = createElement('ul');
  const fill = (from: number, maxOpenBelow: number): void => {
    const next = from + MAX_MEMBERS;
    for (const [name, member] of members.slice(from, next)) {
      list.append(
        createElement('li', {}, createCodeNode('name', name), ': ', createNode(member, maxOpenBelow)),
      );
    }
    if (next >= members.length) return;
    const onclick = (): void => {
      more.remove();
      fill(next, 0);
    };
    const label = `${formatNumber(members.length - next)} more`;
    const button = createElement('button', { type: 'button', class: 'button', onclick }, label);
    const more = createElement('li', {}, button);
    list.append(more);
  };
  const open = members.length <= maxOpen;
  const summary = `${kind} (${formatNumber(members.length)})`;
  const preview = createElement('span', {}, ` ${describeJson(value)}`);
  const details = createElement('details', { open }, createElement('summary', {}, summary, preview), list);
  const isRoot = maxOpen === Number.POSITIVE_INFINITY;
  const shown = Math.min(members.length, MAX_MEMBERS);
  if (open) fill(0, isRoot ? Math.min(MAX_OPEN_MEMBERS, MAX_NODES / shown) : 0);
  else details.addEventListener('toggle', () => fill(0, 0), { once: true });
  return details;
}

function createText(text: string): HTMLElement {
  const shown = createCodeNode('text', JSON.stringify(text.slice(0, MAX_TEXT)));
  return text.length > MAX_TEXT ? createElement('span', {}, shown, ' … cut') : shown;
}

const MAX_PREVIEW_MEMBERS = 3;
/** Longer names and texts are cut. */
const MAX_PREVIEW_TEXT = 30;

/** Describes an object or a list in a line, such as `{id: 5, title: {…}, …}`. */
export function describeJson(value: object): string {
  const isList = Array.isArray(value);
  const members = Object.entries(value).slice(0, MAX_PREVIEW_MEMBERS + 1);
  const texts = members.map(([name, member], at) => {
    if (at === MAX_PREVIEW_MEMBERS) return '…';
    return (isList ? '' : `${shorten(name, MAX_PREVIEW_TEXT)}: `) + describeMember(member);
  });
  return isList ? `[${texts.join(', ')}]` : `{${texts.join(', ')}}`;
}

function describeMember(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, MAX_PREVIEW_TEXT));
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]';
  return Object.keys(value).length === 0 ? '{}' : '{…}';
}

/** Creates the nodes of code with coloured tokens, as the server does. */
export function createCodeNodes(code: string, language: CodeLanguage): readonly (Node | string)[] {
  return tokenizeCode(code, language).map((token) =>
    token.kind === undefined ? token.code : createCodeNode(token.kind, token.code),
  );
}

function createCodeNode(kind: TokenKind, code: string): HTMLElement {
  return createElement('span', { class: toTokenClass(kind) }, code);
}
