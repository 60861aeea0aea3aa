import type { JsonObject } from '../../json.ts';
import { ok, refuse } from '../site/answers.ts';
import { permit } from './access.ts';
import { answerPage, PAGING } from './paging.ts';
import { conflict, invalid } from './refusals.ts';
import { removeFrom } from './removal.ts';
import { type Answer, type BoardRequest, type BoardRoute, route, withBoard } from './routes.ts';
import { record } from './state.ts';
import { insiders, whileOn } from './task-permissions.ts';
import { answersWhole } from './task-schema.ts';
import type { Board, Contact } from './types.ts';

const CONTACT_SCHEMA: JsonObject = answersWhole('contact', 'A customer of the register.', {
  id: { description: 'Number of the contact.', type: 'integer', readonly: true },
  name: { description: 'Name of the person.', type: 'string' },
  email: { description: 'Where to write to.', type: 'string', format: 'email' },
  company: { description: 'Whom they work for.', type: 'string' },
});

/** The customers that a board is for. */
export const contacts: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:int}/crm-contact',
    [
      {
        methods: ['POST'],
        args: {
          contact_id: { description: 'Number of the contact.', type: 'integer', minimum: 1, required: true },
        },
        permission: whileOn('crm', permit.members),
        handle: withBoard(addContact),
      },
    ],
    CONTACT_SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/crm-contacts',
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: whileOn('crm', insiders),
        handle: withBoard((request, board) => {
          const found = board.contactIds.flatMap((id) => request.state.contacts.get(id) ?? []);
          return answerPage(request, found, showContact);
        }),
      },
    ],
    CONTACT_SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/crm-contact/{contact_id:int}',
    [{ methods: ['DELETE'], permission: whileOn('crm', permit.members), handle: withBoard(dropContact) }],
    CONTACT_SCHEMA,
  ),
];

function addContact(request: BoardRequest, board: Board): Answer {
  const { state, params } = request;
  const contact = state.contacts.get(params.integer('contact_id', 0));
  if (contact === undefined) return invalid('contact_id', 'There is no such contact.');
  if (board.contactIds.includes(contact.id)) {
    return conflict('contact_exists', 'The contact belongs to this board already.');
  }
  board.contactIds.push(contact.id);
  const text = `added the contact ${contact.name}`;
  record(state, { boardId: board.id, action: 'added', subject: 'contact', text }, request);
  return ok(showContact(contact));
}

function dropContact(request: BoardRequest, board: Board): Answer {
  const { state, params } = request;
  const contact = state.contacts.get(params.integer('contact_id', 0));
  if (contact === undefined || !board.contactIds.includes(contact.id)) {
    return refuse(404, 'contact_not_found', 'There is no such contact on this board.');
  }
  removeFrom(board.contactIds, contact.id);
  const text = `removed the contact ${contact.name}`;
  record(state, { boardId: board.id, action: 'removed', subject: 'contact', text }, request);
  return ok({ deleted: true, previous: showContact(contact) });
}

export function showContact({ id, name, email, company }: Contact): JsonObject {
  return { id, name, email, company };
}
