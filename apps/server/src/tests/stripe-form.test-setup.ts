/** A form in the format of Stripe's API, with `a[b][0]=c` for nested values. */
export type Form = { [name: string]: string | Form };

const UNSAFE = new Set(['__proto__', 'constructor', 'prototype']);

/** Parses a body or a query of Stripe's API. */
export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const steps = name.split(/[[\]]+/u).filter(Boolean);
    if (steps.some((step) => UNSAFE.has(step))) continue;
    let node = form;
    for (const step of steps.slice(0, -1)) {
      const next = node[step];
      const inner: Form = typeof next === 'object' ? next : {};
      node[step] = inner;
      node = inner;
    }
    const last = steps.at(-1) ?? '';
    // A list may be written without indexes: `expand[]=a&expand[]=b`.
    if (name.endsWith('[]')) {
      const list = formOf(node[last]);
      node[last] = { ...list, [Object.keys(list).length]: value };
    } else node[last] = value;
  }
  return form;
}

export const textOf = (value: string | Form | undefined): string =>
  typeof value === 'string' ? value : '';

export const formOf = (value: string | Form | undefined): Form =>
  typeof value === 'object' ? value : {};

/** The objects that a call expands. */
export const expandedBy = (form: Form): string[] =>
  Object.values(formOf(form['expand'])).map(textOf);
