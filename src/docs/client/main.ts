import { installCopyButtons } from './copy.ts';
import { installCurrentOperation } from './current-operation.ts';
import { installSearch } from './search.ts';
import { installForms } from './try-it.ts';

// The pages are complete without this script. It adds the search, the copying of code, and requests.
installSearch();
installCopyButtons();
installForms();
installCurrentOperation();
// On a small screen the tree would stand before the content.
if (matchMedia('(max-width: 56rem)').matches) document.querySelector('.tree-fold')?.removeAttribute('open');
