import type { ArgumentSchemas } from '../../site/declarations.ts';
import { CURRENCY_CODES } from '../model/index.ts';
import { type BoardRoute, enumParam, responseSchema, schema } from '../rest/index.ts';
import { createSiteSettingsResource } from './resource.ts';

const CREATORS = ['administrators', 'editors', 'everyone'] as const;

const ARGS: ArgumentSchemas = {
  default_currency: schema.enumeration('Currency of new boards (ISO 4217).', CURRENCY_CODES),
  board_creators: schema.enumeration('Who may make boards.', CREATORS),
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
      general.board_creators = enumParam(params, 'board_creators', CREATORS) ?? general.board_creators;
      return undefined;
    },
  },
});
