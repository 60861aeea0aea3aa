import { decodeBasicPair } from '../base/http/basic-credentials.ts';
import { changeMembers, isJsonObject, type Json, type JsonObject, toJsonObject } from '../base/json.ts';
import type { AgentCall, AgentRequest } from '../gateway/surfaces.ts';
import type { Level } from '../generator/openapi/operation-levels.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import { type AgentSite, needsAnswer, refuse, type ToolResult } from './agent-site.ts';
import type { Call, TextEdit } from './call.ts';
import { rawOf } from './present-item.ts';
import { CUT_MARK, cutTexts, hideSecrets } from './read-response.ts';
import { INVISIBLE, toLine } from './site-text.ts';

/** Characters of a question: fifty items with short changes. */
const MAX_SHOWN = 50_000;
/** Characters of each member that the site has now, and of those of a list. */
export const MAX_PRESENT_TEXT = 300;
const MAX_LISTED_TEXT = 100;

const ANSWERS = {
  declined: 'the person declined it.',
  unanswered: 'the person did not answer.',
  failed: 'your client could not ask the person.',
} as const;

/** A call that this gateway finds valid. */
export interface Change {
  /** The call before an edit or a revision became its body. */
  readonly given: Call;
  readonly call: Call;
  readonly level: Level;
  readonly request: AgentRequest;
  /** The item that the site has; `undefined` if it was not read. */
  readonly before: JsonObject | undefined;
  /** As far as the agent can read it. */
  readonly present: JsonObject | undefined;
}

/** Asks the person once about all changes, if a level needs it. @returns the question or the refusal, which ends the call */
export function ask(changes: readonly Change[], { ask: askPerson }: AgentSite): ToolResult | undefined {
  if (!changes.some(({ level }) => needsAnswer(level))) return undefined;
  const note = (asked: NonNullable<AgentCall['asked']>): void => {
    for (const { call } of changes) call.site.note({ asked });
  };
  if (askPerson === undefined) {
    note('unasked');
    return undefined;
  }
  const shown = changes.map((each) =>
    describeChange(each, changes.length > 1 ? MAX_LISTED_TEXT : MAX_PRESENT_TEXT),
  );
  const question = shown.join('\n');
  if (question.length > MAX_SHOWN)
    return refuse(
      `the question would have more than ${MAX_SHOWN} characters. Send fewer calls at once, or use "edit_text".`,
    );
  const answer = askPerson(question);
  if (answer === 'unasked') return { text: question, question };
  note(answer);
  return answer === 'accepted' ? undefined : refuse(ANSWERS[answer]);
}

/** Characters on both sides of an edited passage. */
const SURROUNDING = 100;

/** The passage of an edit in its sentences, so that the same words elsewhere are another question. */
function describePassage({ member, new: text, old }: TextEdit, present: Json | undefined): JsonObject {
  const whole = typeof present === 'string' ? present : old;
  const at = Math.max(0, whole.indexOf(old));
  const before = whole.slice(Math.max(0, at - SURROUNDING), at);
  const after = whole.slice(at + old.length, at + old.length + SURROUNDING);
  return { member, from: before + old + after, to: before + text + after };
}

/** Method, path, user, and all that the call sends. @param length of what the site has now, of each member */
function describeChange({ call, level, present: item, request }: Change, length: number): string {
  const { body, edit, listed, path, query, site } = call;
  const { method } = listed.operation;
  const present = toJsonObject(hideSecrets(item ?? null).value);
  const readPresent = (name: string, most: number): Json => {
    const value = rawOf(present[name]) ?? null;
    const text = JSON.stringify(value);
    return cutTexts(typeof value === 'object' && text.length > most ? text : value, most);
  };
  const changes = isJsonObject(body)
    ? changeMembers(body, (to, name) => ({ from: readPresent(name, length), to }))
    : body;
  const head = ['id', 'name', 'status', 'title'].map(
    (name) => [name, readPresent(name, MAX_LISTED_TEXT)] as const,
  );
  const shown = {
    item: Object.fromEntries(head.filter(([, value]) => value !== null)),
    ...(Object.keys(query).length > 0 && { query }),
    ...(edit === undefined ? { changes } : { passage: describePassage(edit, rawOf(item?.[edit.member])) }),
  };
  // The reader must see what the site hides.
  const content = JSON.stringify(shown).replace(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  const [target = ''] = request.target.slice(site.mountPath.length).split('?');
  const notes = [
    `It would send ${method} ${target} as ${nameUser(site)} (level ${level})`,
    item === undefined && path.length > 0 && isWritingMethod(method)
      ? 'What the site has now is not known'
      : '',
    CUT_MARK.test(content)
      ? 'What the site has now is cut: read the item for the rest. What would be sent is whole'
      : '',
  ];
  return `${notes.filter((line) => line !== '').join('. ')}\n${content}`;
}

export function nameUser({ authorization }: Pick<AgentSite, 'authorization'>): string {
  const [, scheme = '', token = ''] = /^(\S+)\s+(.+)$/.exec(authorization) ?? [];
  if (scheme === '') return 'a visitor';
  const [user = ''] = /^basic$/i.test(scheme) ? decodeBasicPair(token).split(':') : [];
  return toLine(user, 60) || `the user of a ${toLine(scheme, 20)} token`;
}
