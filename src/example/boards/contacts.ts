import type { SiteError } from '../../rest-server/declarations.ts';
import { restError } from '../../rest-server/responses.ts';
import {
  type BoardOperations,
  type BoardRequest,
  BoardResource,
  findBoardOfPath,
  invalidArgument,
  refuseConflict,
} from './resource.ts';
import { type Board, type Contact, recordActivity, removeId } from './state.ts';

/** Finds the contact whose number is in the parameter `name`. It need not be linked to a board. */
export function findContact({ state, params }: BoardRequest, name: string): Contact | SiteError {
  return (
    state.contacts.get(params.integer(name, 0)) ??
    restError(404, 'contact_not_found', 'There is no such contact.')
  );
}

const contactResource = new BoardResource({
  findParents: findBoardOfPath,
  findItem({ state, params }, board) {
    const contact = state.contacts.get(params.integer('contact_id', 0));
    return contact !== undefined && board.contactIds.includes(contact.id)
      ? contact
      : restError(404, 'contact_not_found', 'There is no such contact on this board.');
  },
  createPresenter:
    () =>
    ({ id, name, email, company }) => ({ id, name, email, company }),
});

/** Contacts that are linked to a board. */
export const contactOperations: BoardOperations = {
  'POST /projects/{board_id:int}/crm-contact': contactResource.create(
    (request, board) => {
      const contact = request.state.contacts.get(request.params.integer('contact_id', 0));
      if (contact === undefined) return invalidArgument('contact_id', 'There is no such contact.');
      if (board.contactIds.includes(contact.id)) {
        return refuseConflict('contact_exists', 'The contact belongs to this board already.');
      }
      board.contactIds.push(contact.id);
      logContact(request, board, 'added', contact);
      return contact;
    },
    (_contact, board) => `/projects/${board.id}/crm-contacts`,
  ),
  'GET /projects/{board_id:int}/crm-contacts': contactResource.listPage(({ state }, board) =>
    board.contactIds.flatMap((id) => state.contacts.get(id) ?? []),
  ),
  'DELETE /projects/{board_id:int}/crm-contact/{contact_id:int}': contactResource.remove(
    (request, contact, board) => {
      removeId(board.contactIds, contact.id);
      logContact(request, board, 'removed', contact);
      return undefined;
    },
  ),
};

function logContact(
  request: BoardRequest,
  { id }: Board,
  action: 'added' | 'removed',
  { name }: Contact,
): void {
  const text = `${action} the contact ${name}`;
  recordActivity(request.state, { boardId: id, action, subject: 'contact', text }, request);
}
