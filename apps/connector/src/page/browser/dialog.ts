import { type Child, h } from './dom.ts';
import { icon } from './icons.ts';

/** Announces a message to screen readers and shows it for a while. */
export function announce(sentence: string): void {
  const note = h('p', sentence);
  document.querySelector('#announcement')?.replaceChildren(note);
  setTimeout(() => note.remove(), 6000);
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** An error, which screen readers announce. */
export const refusal = (error: unknown): HTMLElement =>
  h('p.refusal', { role: 'alert' }, icon('alert'), h('span', messageOf(error)));

/** A button whose failures are announced. */
export const actionButton = (
  kind: 'primary' | 'plain' | '',
  run: () => unknown,
  ...children: Child[]
): HTMLElement => {
  const onclick = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      announce(messageOf(error));
    }
  };
  return h('button', { class: kind, onclick }, ...children);
};

export interface Dialog {
  show: (title: string, ...children: Child[]) => void;
  close: () => void;
}

let dialogs = 0;

/** Opens a dialog over the page. When it closes, the browser restores the focus. */
export function openDialog(title: string, ...children: Child[]): Dialog {
  dialogs += 1;
  const heading = h('h2', { id: `dialog-${dialogs}`, tabindex: -1, autofocus: true });
  const content = h('div.dialog-content');
  const close = (): void => dialog.close();
  const closeButton = h('button.plain', { 'aria-label': 'Close', onclick: close }, icon('close'));
  const dialog = h(
    'dialog',
    { 'aria-labelledby': heading.id, onclose: (): void => dialog.remove() },
    h('header', heading, closeButton),
    content,
  );
  const show = (title: string, ...children: Child[]): void => {
    heading.textContent = title;
    content.replaceChildren(...children.filter((child) => child instanceof Node));
    if (dialog.open) heading.focus();
  };
  show(title, ...children);
  document.body.append(dialog);
  dialog.showModal();
  return { show, close };
}

/**
 * A form with a button that is disabled during the submission. A failure is shown above the button.
 * `before` is a button beside it.
 */
export function form(
  props: { label: string; danger?: boolean; submit: () => Promise<unknown>; before?: Child },
  ...children: Child[]
): HTMLFormElement {
  const kind = props.danger ? 'danger' : 'primary';
  const button = h('button', { type: 'submit', class: kind }, props.label);
  const failure = h('div.form-error');
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    button.disabled = true;
    button.setAttribute('aria-busy', 'true');
    failure.replaceChildren();
    await props.submit().catch((error: unknown) => failure.append(refusal(error)));
    button.disabled = false;
    button.removeAttribute('aria-busy');
  };
  const end = h('div.dialog-end', props.before, button);
  return h('form', { novalidate: true, onsubmit: send }, ...children, failure, end);
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
    form({ label: question.label, danger: true, submit }, h('p', question.text)),
  );
}

let fields = 0;

/** A control with its label and a hint, which describes it. */
export function field(
  label: string,
  control: HTMLInputElement | HTMLSelectElement,
  hint: string,
): HTMLElement {
  fields += 1;
  control.id = `field-${fields}`;
  const description = h('p.hint', { id: `hint-${fields}` }, hint);
  control.setAttribute('aria-describedby', description.id);
  const name = h('label', { for: control.id }, label);
  return control.type === 'checkbox'
    ? h('div.check', control, h('div', name, description))
    : h('div.field', name, control, description);
}

/** A choice of values. Another value that was set elsewhere becomes an option too. */
export function choice<T>(
  chosen: T,
  values: readonly T[],
  textOf: (value: T) => string,
): { control: HTMLSelectElement; value: () => T } {
  const all = values.includes(chosen) ? values : [chosen, ...values];
  const options = all.map((value, index) =>
    h('option', { value: index, selected: value === chosen }, textOf(value)),
  );
  const control = h('select', ...options);
  return { control, value: () => all[control.selectedIndex] ?? chosen };
}
