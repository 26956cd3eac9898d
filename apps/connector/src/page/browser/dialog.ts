import { type Child, h } from './dom.ts';
import { icon } from './icons.ts';

/** Announces a sentence to screen readers and shows it for a while. */
export function say(sentence: string): void {
  const said = document.querySelector('#said');
  if (!said) return;
  const note = h('p', {}, sentence);
  said.replaceChildren(note);
  setTimeout(() => note.remove(), 6000);
}

export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** A sentence of refusal, which is read out when it comes. */
export const refusal = (sentence: string): HTMLElement =>
  h('p', { class: 'refusal', role: 'alert' }, icon('alert'), h('span', {}, sentence));

export interface Dialog {
  show: (title: string, ...children: Child[]) => void;
  close: () => void;
}

let dialogs = 0;

/** Opens a dialog over the page; Escape and a cross close it, and the focus goes back by itself. */
export function openDialog(title: string, ...children: Child[]): Dialog {
  dialogs += 1;
  const heading = h('h2', { id: `dialog-${dialogs}`, tabindex: -1, autofocus: true });
  const content = h('div', { class: 'dialog-content' });
  const dialog = h('dialog', { 'aria-labelledby': heading.id });
  const close = (): void => dialog.close();
  const cross = h(
    'button',
    { type: 'button', class: 'plain', 'aria-label': 'Close', onclick: close },
    icon('close'),
  );
  dialog.append(h('header', {}, heading, cross), content);
  const show = (title: string, ...children: Child[]): void => {
    heading.textContent = title;
    content.replaceChildren(...children.filter((child) => child instanceof Node));
    if (dialog.open) heading.focus();
  };
  show(title, ...children);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return { show, close };
}

/**
 * A form of a dialog: while it asks its button waits, and what is refused is said above the button.
 */
export function form(
  props: { label: string; danger?: boolean; submit: () => Promise<unknown> },
  ...children: Child[]
): HTMLFormElement {
  const button = h(
    'button',
    { type: 'submit', class: props.danger ? 'danger' : 'primary' },
    props.label,
  );
  const place = h('div', { class: 'refused-here' });
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    button.setAttribute('aria-busy', 'true');
    place.replaceChildren();
    await props.submit().catch((error: unknown) => place.append(refusal(sentenceOf(error))));
    button.disabled = false;
    button.removeAttribute('aria-busy');
  };
  const end = h('div', { class: 'dialog-end' }, button);
  return h('form', { novalidate: true, onsubmit: send }, ...children, place, end);
}

export function confirm(question: {
  title: string;
  text: string;
  label: string;
  run: () => Promise<unknown>;
}): void {
  const submit = async (): Promise<void> => {
    await question.run();
    dialog.close();
  };
  const dialog = openDialog(
    question.title,
    form({ label: question.label, danger: true, submit }, h('p', {}, question.text)),
  );
}

let fields = 0;

/** A field with its label, and a hint that is read with it. */
export function field<E extends HTMLInputElement | HTMLSelectElement>(
  label: string,
  control: E,
  hint?: string,
): HTMLElement {
  fields += 1;
  control.id = `field-${fields}`;
  if (hint) control.setAttribute('aria-describedby', `hint-${fields}`);
  const isCheck = control.getAttribute('type') === 'checkbox';
  const name = h('label', { for: control.id }, label);
  const explained = hint && h('p', { id: `hint-${fields}`, class: 'hint' }, hint);
  return isCheck
    ? h('div', { class: 'check' }, control, h('div', {}, name, explained))
    : h('div', { class: 'field' }, name, control, explained);
}

/** A choice of values; one that is none of them was set elsewhere, and is kept as a choice. */
export function choice<T>(
  chosen: T,
  values: readonly T[],
  name: (value: T) => string,
): { control: HTMLSelectElement; value: () => T } {
  const all = values.includes(chosen) ? values : [chosen, ...values];
  const options = all.map((value, index) =>
    h('option', { value: index, selected: value === chosen }, name(value)),
  );
  const control = h('select', {}, ...options);
  return { control, value: () => all[control.selectedIndex] ?? chosen };
}
