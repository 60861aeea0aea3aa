import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import { personal } from '../model/state.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { conflict } from '../rest/refusals.ts';
import { type Answer, type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';
import { KIND, STAGE_TITLES, TITLE } from './args.ts';
import { addBoard, addUsualLabels, addUsualStages } from './create.ts';
import { BOARD_SCHEMA } from './schema.ts';
import { showWholeBoard } from './view.ts';

const ONBOARDING_SCHEMA: JsonObject = answersWhole('onboarding', 'How far a user is with the first steps.', {
  status: {
    description: 'Users start as `pending`.',
    type: 'string',
    enum: ['pending', 'skipped', 'done'],
  },
});

/** The first steps of a new user: a first board, or none. */
export const onboarding: readonly BoardRoute[] = [
  route(
    '/projects/onboard',
    [
      {
        methods: ['POST'],
        args: {
          title: { ...TITLE, default: 'My first board' },
          type: { ...KIND, default: 'kanban' },
          stages: STAGE_TITLES,
        },
        permission: permit.boardCreators,
        handle: onboard,
      },
    ],
    BOARD_SCHEMA,
  ),
  route(
    '/projects/skip-onboarding',
    [
      {
        methods: ['PUT'],
        permission: permit.signedIn,
        handle: ({ state, user }) => {
          const choices = personal(state, user?.id ?? 0);
          if (choices.onboarding === 'pending') choices.onboarding = 'skipped';
          return ok({ status: choices.onboarding });
        },
      },
    ],
    ONBOARDING_SCHEMA,
  ),
];

function onboard(request: BoardRequest): Answer {
  const { state, user, params } = request;
  const choices = personal(state, user?.id ?? 0);
  if (choices.onboarding === 'done') {
    return conflict('already_onboarded', 'You have made your first board already.');
  }
  choices.onboarding = 'done';
  const kind = choice(params, 'type', ['kanban', 'roadmap']) ?? 'kanban';
  const title = params.string('title', '').trim() || 'My first board';
  const board = addBoard(state, { title, kind }, request);
  addUsualStages(state, board, params.strings('stages'));
  addUsualLabels(state, board);
  return ok(showWholeBoard(request, board));
}
