import { type Location, locationText } from '@engram/contract';
import type { ExportedEntry, ExportedProfile } from './export-format.ts';

/** Escapes Markdown and joins lines. */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>#|~]/gu, String.raw`\$&`);

const minutes = (date: string): string => `${date.slice(0, 10)} ${date.slice(11, 16)} UTC`;

export const historyHead = (count: number): string =>
  `# Questions and answers\n\n${
    count === 0
      ? 'No questions yet.'
      : `${count} ${count === 1 ? 'question' : 'questions'}, oldest first. A number such as [1] refers to a source below the answer.`
  }\n`;

function quoted({ fileName, location, quote }: ExportedEntry['citations'][number]): string {
  const place = locationText(location as Location, { fileName });
  return `${plain(fileName)}${place ? `, ${plain(place)}` : ''}: “${plain(quote)}”`;
}

export function entryText(entry: ExportedEntry): string {
  const marks = [entry.saved && 'saved', entry.archived && 'archived'].filter(Boolean);
  const sources = entry.citations.map((citation) => `- [${citation.n}] ${quoted(citation)}`);
  const nearest = entry.nearest.map((passage) => `- ${quoted(passage)}`);
  return [
    `\n## ${plain(entry.question)}\n`,
    `*${[minutes(entry.date), ...marks].join(' · ')}*\n`,
    `${entry.answer.trim()}\n`,
    ...(sources.length > 0 ? [`Sources:\n\n${sources.join('\n')}\n`] : []),
    ...(nearest.length > 0
      ? [`The nearest passages, which don't answer the question:\n\n${nearest.join('\n')}\n`]
      : []),
  ].join('\n');
}

/** The plan, the credits and the invoices of an account. */
export interface Billing {
  plan: string;
  status: string;
  credits: number;
  ledger: { date: string; change: number; balance: number; reason: string }[];
  invoices: { invoiceNo: string; plan: string; date: string; amount: number }[];
}

export function profileText(profile: ExportedProfile, billing: Billing): string {
  const lines = [
    ['Name', profile.name],
    ['E-mail', profile.email],
    ['Alternative e-mail', profile.altEmail],
    ['Phone', profile.phone],
    ['Country', profile.country],
    ['Member since', profile.createdDate.slice(0, 10)],
    ['Plan', `${billing.plan} (${billing.status})`],
    ['Credits', String(billing.credits)],
  ].flatMap(([name, value]) => (value ? [`- ${name}: ${plain(value)}`] : []));
  const answers = profile.questionnaire.map(
    ({ question, answer }) => `- ${plain(question)} ${plain(answer)}`,
  );
  const invoices = billing.invoices.map(
    ({ invoiceNo, plan, date, amount }) =>
      `- ${plain(invoiceNo)}, ${date.slice(0, 10)}: ${plain(plan)}, $${amount.toFixed(2)}`,
  );
  const section = (title: string, rows: readonly string[]): string =>
    rows.length === 0 ? '' : `\n## ${title}\n\n${rows.join('\n')}\n`;
  return `# Profile\n\n${lines.join('\n')}\n${section('Your preferences', answers)}${section('Invoices', invoices)}`;
}
