import type { McpServer } from '@modelcontextprotocol/server';
import { QUESTION_LIMIT } from '@engram/contract';
import { z } from 'zod';
import { UNTRUSTED } from './mcp.files.ts';

const said = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});

const CITE = 'Name the file and the place of each fact, with the link (url) that leads there.';

/** Prompts that users pick in the menu of an assistant. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'ask_my_files',
    {
      title: 'Ask my files',
      description: 'Answers a question from your files, with sources.',
      argsSchema: z.object({
        question: z.string().trim().min(1).max(QUESTION_LIMIT).describe('What you want to know.'),
      }),
    },
    ({ question }) =>
      said(
        `Answer this question from my files in Engram, and from nothing else: ${JSON.stringify(question)}\n\n` +
          `Use the tool search, and fetch to read more around a passage. ${CITE} ` +
          `Where my files do not say it, say so. ${UNTRUSTED}`,
      ),
  );
  server.registerPrompt(
    'summarise_file',
    {
      title: 'Summarise a file',
      description: 'Sums up one of your files, with the places.',
      argsSchema: z.object({
        file: z
          .string()
          .trim()
          .min(1)
          .max(300)
          .describe('The name of the file, a part of it, or its id.'),
      }),
    },
    ({ file }) =>
      said(
        `Summarise this file of mine in Engram: ${JSON.stringify(file)}\n\n` +
          'Find it with the tool list_files unless that is its id already, and ask me where several ' +
          'files could be meant. Read all of it with fetch, part by part. Begin with one sentence on ' +
          `what it is, then its main points. ${CITE} ${UNTRUSTED}`,
      ),
  );
}
