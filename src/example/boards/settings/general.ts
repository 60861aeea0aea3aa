import type { ArgumentSchemas } from '../../site/declarations.ts';
import { CURRENCY_CODES } from '../model/index.ts';
import { type BoardRoute, enumParam, responseSchema, schema } from '../rest/index.ts';
import { createSiteSettingsResource } from './resource.ts';

const WEEK_STARTS = ['monday', 'sunday'] as const;
const DATE_FORMATS = ['Y-m-d', 'd.m.Y', 'm/d/Y'] as const;
const CREATORS = ['administrators', 'editors', 'everyone'] as const;

const ARGS: ArgumentSchemas = {
  default_currency: schema.enumeration('Currency of new boards (ISO 4217).', CURRENCY_CODES),
  week_starts_on: schema.enumeration('First day of a week in calendars.', WEEK_STARTS),
  date_format: schema.enumeration('How days are written, as PHP names it.', DATE_FORMATS),
  board_creators: schema.enumeration('Who may make boards.', CREATORS),
  keep_archived_days: schema.integer(
    'Days after which archived tasks may be deleted for good; 0 keeps them.',
    {
      minimum: 0,
      maximum: 3650,
    },
  ),
  email_from_name: schema.string('Who mails of the site come from.', { minLength: 1, maxLength: 100 }),
};

const settings = createSiteSettingsResource(
  responseSchema('general-settings', 'What holds for every board.', ARGS),
  ({ general }) => general,
  (general) => ({ ...general }),
);

/** Settings that concern every board. */
export const generalSettingsRoute: BoardRoute = settings.route('/admin/general-settings', {
  GET: {},
  POST: {
    args: ARGS,
    change({ params }, general) {
      general.default_currency = params.string('default_currency', general.default_currency);
      general.week_starts_on = enumParam(params, 'week_starts_on', WEEK_STARTS) ?? general.week_starts_on;
      general.date_format = enumParam(params, 'date_format', DATE_FORMATS) ?? general.date_format;
      general.board_creators = enumParam(params, 'board_creators', CREATORS) ?? general.board_creators;
      general.keep_archived_days = params.integer('keep_archived_days', general.keep_archived_days);
      general.email_from_name = params.string('email_from_name', general.email_from_name);
      return undefined;
    },
  },
});
