import { ok } from '../../site/answers.ts';
import type { Args } from '../../site/declare.ts';
import { CURRENCY_CODES } from '../model/currencies.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import { type BoardRoute, route } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';

const WEEK_STARTS = ['monday', 'sunday'] as const;
const DATE_FORMATS = ['Y-m-d', 'd.m.Y', 'm/d/Y'] as const;
const CREATORS = ['administrators', 'editors', 'everyone'] as const;

const FIELDS: Args = {
  default_currency: {
    description: 'Currency of new boards (ISO 4217).',
    type: 'string',
    enum: CURRENCY_CODES,
  },
  week_starts_on: { description: 'First day of a week in calendars.', type: 'string', enum: WEEK_STARTS },
  date_format: { description: 'How days are written, as PHP names it.', type: 'string', enum: DATE_FORMATS },
  board_creators: { description: 'Who may make boards.', type: 'string', enum: CREATORS },
  keep_archived_days: {
    description: 'Days after which archived tasks may be deleted for good; 0 keeps them.',
    type: 'integer',
    minimum: 0,
    maximum: 3650,
  },
  email_from_name: {
    description: 'Who mails of the site come from.',
    type: 'string',
    minLength: 1,
    maxLength: 100,
  },
};

/** What holds for every board. */
export const generalSettings: BoardRoute = route(
  '/admin/general-settings',
  [
    {
      methods: ['GET'],
      permission: permit.administrators,
      handle: ({ state }) => ok({ ...state.settings.general }),
    },
    {
      methods: ['POST'],
      args: FIELDS,
      permission: permit.administrators,
      handle: ({ state, params }) => {
        const { general } = state.settings;
        general.default_currency = params.string('default_currency', general.default_currency);
        general.week_starts_on = choice(params, 'week_starts_on', WEEK_STARTS) ?? general.week_starts_on;
        general.date_format = choice(params, 'date_format', DATE_FORMATS) ?? general.date_format;
        general.board_creators = choice(params, 'board_creators', CREATORS) ?? general.board_creators;
        general.keep_archived_days = params.integer('keep_archived_days', general.keep_archived_days);
        general.email_from_name = params.string('email_from_name', general.email_from_name);
        return ok({ ...general });
      },
    },
  ],
  answersWhole('general-settings', 'What holds for every board.', FIELDS),
);
