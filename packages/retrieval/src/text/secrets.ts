import { alternatives } from '../languages/index.ts';

const NAMES = alternatives(({ secrets }) => secrets);
const LABELS = alternatives(({ secretLabels }) => secretLabels);

/** Names and labels of what is to be kept secret, and is shown to nobody unasked. */
export const SECRET = new RegExp(`${NAMES}|${LABELS}`, 'iu');

export const SECRET_LINE = new RegExp(String.raw`(?:${NAMES})[^\n]*`, 'giu');
