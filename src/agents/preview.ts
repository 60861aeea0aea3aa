import { decodeBasicPair } from '../base/http/basic-credentials.ts';
import { changeMembers, isJsonObject, type Json, type JsonObject, toJsonObject } from '../base/json.ts';
import type { AgentRequest } from '../gateway/surfaces.ts';
import type { Level } from '../generator/openapi/operation-levels.ts';
import { isWritingMethod } from '../generator/reference/sample-request.ts';
import { type AgentSite, needsAnswer, refuse, type ToolResult } from './agent-site.ts';
import type { Call } from './call.ts';
import { CUT_MARK, cutTexts } from './fit-response.ts';
import { rawOf } from './present-item.ts';
import { hideSecrets } from './read-response.ts';
import { INVISIBLE, toLine } from './site-text.ts';

/** Characters of a question or preview. */
const MAX_SHOWN = 12_000;
export const MAX_PRESENT_TEXT = 300;

/** A call that this gateway finds valid. */
export interface Change {
  /** The call before an edit or a revision became its body. */
  readonly given: Call;
  readonly call: Call;
  readonly level: Level;
  readonly request: AgentRequest;
  /** The present item as far as the agent can read it. */
  readonly present: JsonObject | undefined;
}

/** Asks the person once about all changes, if a level needs it. @returns a preview, the question or the refusal, which ends the call */
export function ask(changes: readonly Change[], { ask: askPerson }: AgentSite): ToolResult | undefined {
  const isPreview = changes.some(({ call }) => call.args['preview'] === true);
  if (!isPreview && !changes.some(({ level }) => needsAnswer(level))) return undefined;
  const note = (asked: 'accepted' | 'declined' | 'unasked'): void => {
    for (const { call } of changes) call.site.note({ asked });
  };
  if (!isPreview && askPerson === undefined) {
    note('unasked');
    return undefined;
  }
  const shown = changes.map(describeChange);
  const question = shown.map((lines) => lines.join('\n')).join('\n');
  if (question.length > MAX_SHOWN)
    return refuse(
      `the change has more than ${MAX_SHOWN} characters, so it cannot be shown whole before it is sent. Send it in parts, or use "edit_text".`,
    );
  const text = shown.map(([line]) => line).join('\n');
  if (isPreview) return { text, content: shown.map(([, content]) => content).join('\n') };
  const answer = askPerson?.(question) ?? 'declined';
  if (answer === 'unasked') return { text, question };
  note(answer);
  return answer === 'accepted' ? undefined : refuse('the person declined it.');
}

/** Method, path, user, and all that the call sends. */
function describeChange({
  call,
  level,
  present: item,
  request,
}: Change): readonly [text: string, content: string] {
  const { args, body, edit, listed, path, query, site } = call;
  const { method } = listed.operation;
  const present = toJsonObject(hideSecrets(item ?? null).value);
  const readPresent = (name: string): Json => cutTexts(rawOf(present[name]) ?? null, MAX_PRESENT_TEXT);
  const isRestored = typeof args['restore'] === 'number';
  const changes = isJsonObject(body)
    ? changeMembers(body, (to, name) => ({
        from: readPresent(name),
        to: isRestored ? cutTexts(to, MAX_PRESENT_TEXT) : to,
      }))
    : body;
  const head = ['id', 'name', 'slug', 'status', 'title'].map((name) => [name, readPresent(name)] as const);
  const shown = {
    item: Object.fromEntries(head.filter(([, value]) => value !== null)),
    ...(Object.keys(query).length > 0 && { query }),
    ...(edit === undefined ? { changes } : { edit_text: edit }),
  };
  // The reader must see what the site hides.
  const content = JSON.stringify(shown).replace(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  const [target = ''] = request.target.slice(site.mountPath.length).split('?');
  const text = [
    `It would send ${method} ${target} as ${nameUser(site)} (level ${level})`,
    item === undefined && path.length > 0 && isWritingMethod(method)
      ? 'What the site has now is not known'
      : '',
    CUT_MARK.test(content)
      ? 'What the site has now is cut: read the item for the rest. What would be sent is whole'
      : '',
  ];
  return [text.filter((line) => line !== '').join('. '), content];
}

export function nameUser({ authorization }: Pick<AgentSite, 'authorization'>): string {
  const [, scheme = '', token = ''] = /^(\S+)\s+(.+)$/.exec(authorization) ?? [];
  if (scheme === '') return 'a visitor';
  const [user = ''] = /^basic$/i.test(scheme) ? decodeBasicPair(token).split(':') : [];
  return toLine(user, 60) || `the user of a ${toLine(scheme, 20)} token`;
}
