import { alternatives } from '../languages/index.ts';

const NAMES = alternatives(({ secrets }) => secrets);
const LABELS = alternatives(({ secretLabels }) => secretLabels);

export const SECRET = new RegExp(`${NAMES}|${LABELS}`, 'iu');

export const SECRET_LINE = new RegExp(String.raw`(?:${NAMES})[^\n]*`, 'giu');
