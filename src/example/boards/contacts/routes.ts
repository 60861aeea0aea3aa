import type { JsonObject } from '../../../json.ts';
import { ok, refuse } from '../../site/answers.ts';
import { removeFrom } from '../model/removal.ts';
import { record } from '../model/state.ts';
import type { Board, Contact } from '../model/types.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { permit } from '../rest/permissions.ts';
import { conflict, invalid } from '../rest/refusals.ts';
import { type Answer, type BoardRequest, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { insiders, whileOn } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';

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
