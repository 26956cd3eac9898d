import { askRecords, describeTables, type FileKind, type RankedPassage } from '@engram/retrieval';
import { z } from 'zod';
import type { EvidenceItem } from '../../../platform/ai/answering/evidence-budget.ts';
import {
  type ToolResult,
  type ModelTool,
  modelTool,
} from '../../../platform/ai/answering/tool-set.ts';
import type { EvidenceFiles } from './evidence-files.ts';
import { steps } from './steps.ts';
import { openAt } from './document-parts.ts';

interface ToolsRequest {
  evidenceFiles: EvidenceFiles;
  findMore: (queries: readonly string[]) => Promise<RankedPassage[]>;
  onStep: (text: string) => void;
}

const MAX_FOUND = 30;
const MAX_LISTED = 40;
/** The rows or files cited for one result. */
const MAX_CITED = 3;

const KINDS = [
  'pdf',
  'picture',
  'spreadsheet',
  'presentation',
  'recording',
  'video',
  'archive',
  'text',
] as const satisfies readonly FileKind[];

const line = z.string().trim().min(1).max(200);
const day = z.iso.date();

const noteOnly = (note: string): ToolResult => ({ note, evidence: [] });

const figureOf = (text: string, rows: NonNullable<EvidenceItem['figure']>): EvidenceItem => ({
  artifactId: rows[0]?.artifactId ?? '',
  fileName: '',
  ordinal: 0,
  start: 0,
  end: text.length,
  text,
  location: {},
  places: [],
  headings: [],
  score: 0,
  figure: rows,
});

function searchTool({ evidenceFiles, findMore, onStep }: ToolsRequest): ModelTool {
  return modelTool({
    name: 'search',
    description:
      'Searches the files by words and meaning. Use other words than before: what the files are likely to say, synonyms, names of documents and fields, the files’ languages.',
    input: z.object({ query: line.describe('One to eight words') }),
    async run({ query }) {
      onStep(steps.searching(query));
      const passages = (await findMore([query])).slice(0, MAX_FOUND);
      return { note: '', evidence: await evidenceFiles.toEvidence(passages) };
    },
  });
}

function openTool({ evidenceFiles, onStep }: ToolsRequest): ModelTool {
  return modelTool({
    name: 'open_file',
    description:
      'Reads a file from a place on: its beginning, a page or slide, a section by its heading, or where some words occur.',
    input: z.object({
      file: line.describe('The id of a file, such as f2'),
      page: z.int().min(1).optional(),
      pageTo: z.int().min(1).optional(),
      section: line.optional(),
      words: line.optional(),
    }),
    async run({ file: reference, ...place }) {
      const file = evidenceFiles.fileOf(reference);
      if (file === undefined)
        return noteOnly('This file does not exist. list_files lists the files.');
      onStep(steps.opening(file.fileName, place));
      const document = (await evidenceFiles.read([file.id])).get(file.id);
      if (document === undefined) return noteOnly('This file has no text that can be read here.');
      const passage = openAt(document, place);
      if (passage === null) return noteOnly('The file has no such part.');
      return { note: '', evidence: await evidenceFiles.toEvidence([passage]) };
    },
  });
}

const condition = z.object({
  column: line,
  is: z.enum(['equal', 'not', 'contains', 'from', 'to', 'empty']),
  value: z.union([z.string().max(200), z.number()]).optional(),
});

function recordsTool({ evidenceFiles, onStep }: ToolsRequest): ModelTool {
  return modelTool({
    name: 'ask_records',
    description:
      'Lists, counts, adds up or compares rows of the tables in spreadsheets and in files that were shown, and the fields of all invoices, payslips, receipts and statements. Without an operation it lists the tables and columns: ask for those first. Dates are YYYY-MM-DD; "to 2024" takes all of 2024.',
    input: z.object({
      operation: z.enum(['list', 'count', 'sum', 'average', 'largest', 'smallest']).optional(),
      table: line.optional().describe('A table or a file by its name; else all with the column'),
      column: line.optional().describe('What is added up or compared'),
      where: z.array(condition).max(8).optional(),
      by: line.optional().describe('A column, or month or year'),
    }),
    async run({ operation, ...query }) {
      const tables = await evidenceFiles.tables();
      if (tables.length === 0) return noteOnly('The files have no tables to query.');
      if (operation === undefined) {
        onStep(steps.asking({ operation: 'list', column: 'tables' }));
        return noteOnly(describeTables(tables));
      }
      onStep(steps.asking({ operation, ...query }));
      const answer = askRecords({ operation, ...query }, tables);
      if ('problem' in answer) return noteOnly(`${answer.problem}\n${describeTables(tables)}`);
      const rows = await evidenceFiles.cite(answer.rows.slice(0, MAX_CITED));
      if (rows.length === 0) return noteOnly(answer.text);
      return { note: '', evidence: [figureOf(answer.text, rows)] };
    },
  });
}

function filesTool({ evidenceFiles, onStep }: ToolsRequest): ModelTool {
  return modelTool({
    name: 'list_files',
    description:
      'Lists files by name, kind and date, with the ids by which they are opened: those whose name has these words, of this kind (a type such as pdf, or a kind of document such as invoice), from and up to these days.',
    input: z.object({
      name: line.optional(),
      kind: line.optional(),
      from: day.optional(),
      to: day.optional(),
    }),
    async run({ name = '', kind, from, to }) {
      onStep(steps.listing());
      const type = KINDS.find((listed) => listed === kind?.toLowerCase().replace(/s$/u, ''));
      const ids = await evidenceFiles.list(type === undefined ? [] : [type]);
      const words = name.toLowerCase().split(/\s+/u).filter(Boolean);
      const documentKind = type === undefined ? kind?.toLowerCase().replace(/s$/u, '') : undefined;
      const files = (await evidenceFiles.findMany(ids)).flatMap((file) => {
        const fact = evidenceFiles.factOf(file.id);
        const date = fact?.date ?? file.createdAt.toISOString().slice(0, 10);
        const title = `${file.fileName} ${fact?.title ?? ''}`.toLowerCase();
        const matches =
          words.every((word) => title.includes(word)) &&
          (documentKind === undefined || fact?.kind?.replace(/s$/u, '') === documentKind) &&
          (from === undefined || date >= from) &&
          (to === undefined || date <= to);
        return matches ? [{ file, fact, date }] : [];
      });
      if (files.length === 0) return noteOnly('No files match.');
      files.sort((a, b) => (a.date < b.date ? 1 : -1));
      const shown = files.slice(0, MAX_LISTED);
      const lines = shown.map(({ file, fact, date }) => {
        const details = [fact?.kind, date, fact?.version].filter(Boolean).join(', ');
        return `- ${evidenceFiles.handleOf(file.id)}: ${file.fileName} (${details})`;
      });
      const more = files.length - shown.length;
      const text = [
        files.length === 1 ? '1 file:' : `${files.length} files, newest first:`,
        ...lines,
        ...(more > 0 ? [`and ${more} more`] : []),
      ].join('\n');
      const rows = await evidenceFiles.beginnings(
        shown.slice(0, MAX_CITED).map(({ file }) => file.id),
      );
      if (rows.length === 0) return noteOnly(text);
      return { note: '', evidence: [figureOf(text, rows)] };
    },
  });
}

export const toolsFor = (request: ToolsRequest): ModelTool[] =>
  [searchTool, openTool, recordsTool, filesTool].map((create) => create(request));
