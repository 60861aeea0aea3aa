import { ok, refuse } from '../../site/answers.ts';
import { IMAGE_SCHEMA, showImage, storeImage } from '../images/image.ts';
import { isRefusal, record } from '../model/state.ts';
import type { Background, Board } from '../model/types.ts';
import { permit } from '../rest/permissions.ts';
import { type BoardRequest, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { color } from './args.ts';
import { BOARD_SCHEMA } from './schema.ts';
import { showBoard } from './view.ts';

/** What shows behind a board: a colour, a picture that is there already, or one that is sent. */
export const backgrounds: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:int}/upload/background',
    [
      {
        methods: ['PUT'],
        args: {
          color: color('A colour: `#4c6ef5`. Absent: a picture is wanted.'),
          image_id: {
            description: 'Number of a picture that was sent to this board. Absent: a colour is wanted.',
            type: 'integer',
            minimum: 1,
          },
        },
        permission: permit.managers,
        handle: withBoard((request, board) => {
          const { state, params } = request;
          const wanted = params.string('color');
          if ((wanted === undefined) !== params.has('image_id')) {
            return refuse(400, 'background_ambiguous', 'Give either a color or an image_id.');
          }
          if (wanted !== undefined) {
            setBackground(request, board, { isImage: false, color: wanted, imageUrl: null });
            return ok(showBoard(request, board));
          }
          const image = state.images.get(params.integer('image_id', 0));
          if (image?.boardId !== board.id) {
            return refuse(404, 'image_not_found', 'There is no such picture on this board.');
          }
          const imageUrl = request.address(image.path);
          setBackground(request, board, { isImage: true, color: board.background.color, imageUrl });
          return ok(showBoard(request, board));
        }),
      },
    ],
    BOARD_SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/upload/background-image',
    [
      {
        methods: ['POST'],
        permission: permit.managers,
        handle: withBoard((request, board) => {
          const image = storeImage(request, board);
          if (isRefusal(image)) return image;
          const imageUrl = request.address(image.path);
          setBackground(request, board, { isImage: true, color: board.background.color, imageUrl });
          return ok(showImage(request, image));
        }),
      },
    ],
    IMAGE_SCHEMA,
  ),
];

function setBackground(request: BoardRequest, board: Board, background: Background): void {
  const oldValue = board.background.imageUrl ?? board.background.color;
  board.background = background;
  const newValue = background.imageUrl ?? background.color;
  record(
    request.state,
    {
      boardId: board.id,
      action: background.isImage ? 'uploaded' : 'updated',
      subject: 'background',
      text: 'changed the background of the board',
      oldValue,
      newValue,
    },
    request,
  );
}
