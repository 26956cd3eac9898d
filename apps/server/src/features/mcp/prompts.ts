import type { McpServer } from '@modelcontextprotocol/server';
import { QUESTION_LIMIT } from '@engram/contract';
import { z } from 'zod';
import { UNTRUSTED } from './mcp.files.ts';

const userMessage = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});

const CITE = 'Cite the file and the location of each fact, with its link (url).';

/** Prompts that users select in the menu of an assistant. */
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
      userMessage(
        `Answer this question from my files in Engram, and from nothing else: ${JSON.stringify(question)}\n\n` +
          `Use the tool search, and fetch to read more around a passage. ${CITE} ` +
          `If my files do not contain the answer, say so. ${UNTRUSTED}`,
      ),
  );
  server.registerPrompt(
    'summarise_file',
    {
      title: 'Summarize a file',
      description: 'Summarizes one of your files, with locations.',
      argsSchema: z.object({
        file: z
          .string()
          .trim()
          .min(1)
          .max(300)
          .describe('The name of the file, a part of the name, or the ID.'),
      }),
    },
    ({ file }) =>
      userMessage(
        `Summarize this file of mine in Engram: ${JSON.stringify(file)}\n\n` +
          'Find it with the tool list_files unless this is already its ID, and ask me if several files ' +
          'match. Read all of it with fetch, part by part. Start with one sentence on what the file ' +
          `is, followed by its main points. ${CITE} ${UNTRUSTED}`,
      ),
  );
}
