import type { FolderStatus, LeftOut } from '../../connector.ts';
import { openDialog } from './dialog.ts';
import { h } from './dom.ts';
import { number } from './format.ts';

/** Files that are left out, by reason. The most frequent reason comes first. */
export function leftOutList(leftOut: readonly LeftOut[], all: number): HTMLElement {
  const groups = [...Map.groupBy(leftOut, ({ reason }) => reason)]
    .sort(([, a], [, b]) => b.length - a.length)
    .flatMap(([reason, files]) => [
      h('dt', reason, h('span.amount', number(files.length))),
      ...files.map(({ path }) => h('dd', path)),
    ]);
  const more = all - leftOut.length;
  return h(
    'div.left-out',
    { tabindex: 0, role: 'group', 'aria-label': 'Files left out' },
    h('dl', ...groups),
    more > 0 && h('p.hint', `and ${number(more)} more`),
  );
}

export function showLeftOut({ name, leftOut, refused }: FolderStatus): void {
  openDialog(
    `Left out of ${name}`,
    h('p', 'These stay on this computer only.'),
    leftOutList(leftOut, refused),
  );
}
