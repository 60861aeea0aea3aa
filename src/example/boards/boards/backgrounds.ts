import { created, restError } from '../../site/responses.ts';
import { IMAGE_SCHEMA, imageView, storeImage } from '../images/store-image.ts';
import { type ActivityEntry, type Board, type BoardBackground, isSiteError } from '../model/index.ts';
import { type BoardRoute, schema } from '../rest/index.ts';
import { boardResource } from './resource.ts';

/** Setting the background of a board: a colour, an uploaded image, or a new upload. */
export const backgroundRoutes: readonly BoardRoute[] = [
  boardResource.put('/projects/{board_id:int}/upload/background', {
    args: {
      color: schema.color('A colour: `#4c6ef5`. Absent: a picture is wanted.'),
      image_id: schema.id('Number of a picture that was sent to this board. Absent: a colour is wanted.'),
    },
    change({ state, params, address }, board) {
      const newColor = params.string('color');
      if ((newColor === undefined) !== params.has('image_id')) {
        return restError(400, 'background_ambiguous', 'Give either a color or an image_id.');
      }
      if (newColor !== undefined) {
        return setBackground(board, { isImage: false, color: newColor, imageUrl: null });
      }
      const image = state.images.get(params.integer('image_id', 0));
      return image?.boardId === board.id
        ? setBackgroundImage(board, address(image.path))
        : restError(404, 'image_not_found', 'There is no such picture on this board.');
    },
  }),
  boardResource.post('/projects/{board_id:int}/upload/background-image', {
    schema: IMAGE_SCHEMA,
    handleItem(request, board) {
      const image = storeImage(request, board);
      if (isSiteError(image)) return image;
      boardResource.logChange(request, board, setBackgroundImage(board, request.address(image.path)));
      return created(imageView.createPresenter(request)(image), request.address(image.path));
    },
  }),
];

function setBackgroundImage(board: Board, imageUrl: string): ActivityEntry {
  return setBackground(board, { isImage: true, color: board.background.color, imageUrl });
}

function setBackground(board: Board, background: BoardBackground): ActivityEntry {
  const oldValue = board.background.imageUrl ?? board.background.color;
  board.background = background;
  return {
    action: background.isImage ? 'uploaded' : 'updated',
    subject: 'background',
    text: 'changed the background of the board',
    oldValue,
    newValue: background.imageUrl ?? background.color,
  };
}
