import type { FolderStatus, LeftOut } from '../../connector.ts';
import { openDialog } from './dialog.ts';
import { h } from './dom.ts';
import { number } from './format.ts';

/** Files that are left out by their reasons, the most frequent reason first. */
function byReason(leftOut: readonly LeftOut[]): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const { path, reason } of leftOut) groups.set(reason, [...(groups.get(reason) ?? []), path]);
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

export function leftOutList(leftOut: readonly LeftOut[], all: number): HTMLElement {
  const groups = byReason(leftOut).flatMap(([reason, paths]) => [
    h('dt', {}, reason, h('span', { class: 'amount' }, number(paths.length))),
    ...paths.map((path) => h('dd', {}, path)),
  ]);
  const more = all - leftOut.length;
  return h(
    'div',
    { class: 'left-out', tabindex: 0, role: 'group', 'aria-label': 'Files left out' },
    h('dl', {}, ...groups),
    more > 0 && h('p', { class: 'hint' }, `and ${number(more)} more`),
  );
}

export function showLeftOut({ name, leftOut, refused }: FolderStatus): void {
  openDialog(
    `Left out of ${name}`,
    h('p', {}, 'These stay on this computer only.'),
    leftOutList(leftOut, refused),
  );
}
