import { z } from 'zod';
import { CHOSEN_FILES_LIMIT, FOUND_LIMIT, NEAREST_LIMIT, QUESTION_LIMIT } from './limits.ts';
import { defineRoute } from './route.ts';
import {
  count,
  fileId,
  fileName,
  folderPath,
  id,
  keyword,
  location,
  position,
  timestamp,
} from './values.ts';

const offset = count;

export const citation = z
  .object({
    n: z.number().int().positive().describe('The number that [n] in the answer refers to.'),
    artifactId: fileId,
    fileName,
    path: folderPath,
    location,
    quote: z.string().describe('The exact text of the file.'),
    start: offset.describe('The start in the extracted text, in UTF-16 units.'),
    end: offset.describe('The end in the extracted text, in UTF-16 units.'),
  })
  .meta({
    id: 'Citation',
    description: 'A quote from a file that supports a sentence of an answer.',
    'x-sdk-names': { artifactId: 'fileId' },
  });
export type Citation = z.output<typeof citation>;

const newerFile = z.object({ artifactId: fileId, fileName }).meta({
  id: 'NewerFile',
  description: 'A document that amends or replaces a file.',
  'x-sdk-names': { artifactId: 'fileId' },
});

const foundSection = citation
  .omit({ quote: true })
  .extend({
    text: z.string().describe('The exact text of the section.'),
    highlights: z
      .array(z.tuple([offset, offset]))
      .describe('Start and end of the matching words in `text`, in UTF-16 units.'),
    score: z.number().min(0).max(1).describe('How relevant the section is, from 0 to 1.'),
    newer: newerFile.nullable().describe('The newest file that amends or replaces it, or null.'),
  })
  .meta({
    id: 'FoundSection',
    description: 'A section of a file that was found for a question.',
    'x-sdk-names': { artifactId: 'fileId' },
  });
export type FoundSection = z.output<typeof foundSection>;

/** `found`: the answer quotes files. `written`: a model wrote it, and it was verified. */
const answerMode = z
  .enum(['found', 'written'])
  .meta({ id: 'AnswerMode', description: 'Whether an answer quotes files, or a model wrote it.' });
export type AnswerMode = z.output<typeof answerMode>;

const relatedFile = z
  .object({
    artifactId: fileId,
    artifactGroupId: id.describe('The id that all files of one upload share.'),
    artifactArchived: z.boolean().describe('Whether the file is left out of searches.'),
    artifact_text: z.string().nullable().describe('The first 50 characters of the text.'),
    createdBy: z.string().describe('Who uploaded the file.'),
    createdDate: timestamp.describe('When it was created.'),
    fileName,
    path: folderPath,
    filePathS3: z.string().describe("The server's key of the stored bytes."),
    fileType: z.string().describe('The media type, such as application/pdf.'),
    presignedUrl: z.string().describe('A link to the bytes that needs no key for 15 minutes.'),
    score: z.number().min(0).max(1).describe('How well the file matches, from 0 to 1.'),
    size: count.describe('The size in bytes.'),
    status: z.string().describe('The status of the file; SUCCESS if it is searchable.'),
    userId: id.describe('The id of the user.'),
  })
  .meta({
    id: 'RelatedFile',
    description: 'A file that is related to a question.',
    'x-sdk-names': {
      artifactId: 'fileId',
      artifactGroupId: 'groupId',
      artifactArchived: 'archived',
      artifact_text: 'textPreview',
      createdDate: 'createdAt',
      filePathS3: 'storageKey',
      fileType: 'mediaType',
      presignedUrl: 'url',
    },
  });
export type RelatedFile = z.output<typeof relatedFile>;

const explain = z
  .object({
    passages: z
      .array(
        z
          .object({
            artifactId: fileId,
            start: z.number().int().describe('The start in the extracted text, in UTF-16 units.'),
            end: z.number().int().describe('The end in the extracted text, in UTF-16 units.'),
            scores: z
              .record(z.string(), z.number())
              .describe('The score of the passage at each stage.'),
          })
          .meta({
            id: 'ExplainedPassage',
            description: 'A passage that was considered.',
            'x-sdk-names': { artifactId: 'fileId' },
          }),
      )
      .describe('The passages that were considered.'),
    terms: z.array(z.string()).describe('The terms that were searched.'),
    stages: z
      .array(
        z
          .object({
            name: z.string().describe('The name of the stage.'),
            ms: z.number().describe('Milliseconds.'),
          })
          .meta({ id: 'ExplainedStage', description: 'A step of a search, and how long it took.' }),
      )
      .describe('The duration of each stage.'),
  })
  .meta({ id: 'Explanation', description: 'How an answer was found.' });

export const writtenBy = z
  .string()
  .nullable()
  .describe('`files` if the answer quotes them, else the name of the model; null if unknown.');

/** Whether a model wrote an answer. Answers without an author quote files. */
export const modeOf = (answer: { writtenBy: z.output<typeof writtenBy> }): AnswerMode =>
  answer.writtenBy === null || answer.writtenBy === 'files' ? 'found' : 'written';

export const answerTexts = z
  .array(z.string())
  .describe('The answer in Markdown. [1] refers to citation 1.');
export const nextQuestions = z.array(z.string()).describe('Suggested next questions.');
export const relatedFiles = z.array(relatedFile).describe('Up to 20 files that match, best first.');

/** The evidence for an answer, and the results of its verification. */
export const verifiedAnswer = {
  citations: z.array(citation).describe('The quotes from your files that support the answer.'),
  grounded: z.boolean().describe('False if your files contain no answer.'),
  nearest: z
    .array(citation)
    .max(NEAREST_LIMIT)
    .describe('Without an answer, up to three passages that come closest.'),
  mode: answerMode.describe('`found`: it quotes your files. `written`: a model wrote it.'),
  found: z
    .array(foundSection)
    .max(FOUND_LIMIT)
    .describe('The sections that were found, best first.'),
  unverified: z
    .array(z.string())
    .describe('Sentences that could not be verified, marked `[unverified]`.'),
  notice: z.string().nullable().describe('A notice, such as that a model was down.'),
};

export const searchData = z
  .object({
    text: z.string().describe('The question, up to 300 characters.'),
    answers: answerTexts,
    date: timestamp.describe('When it was asked.'),
    recommendations: nextQuestions,
    history_id: id.describe('The id of the question in the history.'),
    audio_file: z.string().nullable().describe('The spoken answer, an MP3 in base64, or null.'),
    similar_vectors: relatedFiles,
    ...verifiedAnswer,
    writtenBy,
    explain: explain.optional(),
  })
  .meta({
    id: 'Answer',
    description: 'The answer to a question, with the passages that support it.',
    'x-sdk-names': {
      text: 'question',
      date: 'createdAt',
      history_id: 'id',
      audio_file: 'audio',
      similar_vectors: 'relatedFiles',
    },
  });
export type SearchData = z.output<typeof searchData>;

export const searchBody = z.object({
  text: z
    .string({ error: 'Please enter a question.' })
    .trim()
    .min(1, { error: 'Please enter a question.' })
    .max(QUESTION_LIMIT, { error: `A question can have at most ${QUESTION_LIMIT} characters.` })
    .describe('The question, up to 300 characters.'),
  location: position.optional().describe('The position of the user, with their consent.'),
  ipAddress: z.string().max(100).nullish().describe('Ignored.'),
  device: z.string().max(100).nullish().describe('The device or program of the call.'),
  keywords: z
    .array(keyword)
    .max(100)
    .default([])
    .describe('Only files with one of these keywords.'),
  artifactIds: z
    .array(id)
    .max(CHOSEN_FILES_LIMIT, {
      error: `A question can be asked of at most ${CHOSEN_FILES_LIMIT} chosen files.`,
    })
    .default([])
    .describe('Searches only these files. Deleted files are ignored.'),
  audio: z.boolean().default(true).describe('Whether to speak the answer, which takes longer.'),
  explain: z.boolean().default(false).describe('Whether to return how the answer was found.'),
  after: id.optional().describe('The history_id of the question that this one follows up on.'),
});

export const search = defineRoute('POST /search', {
  summary: 'Ask a question',
  sdk: {
    ask: {
      args: ['text'],
      options: ['keywords', 'files', 'after', 'explain', 'audio'],
      defaults: { audio: false },
    },
  },
  sdkNames: { artifactIds: 'files' },
  notRepeatable: true,
  apiKey: true,
  reads: true,
  kind: 'events',
  body: searchBody,
  data: searchData,
  events: {
    /**
     * Sent first, with the history id and the found sections. If a model writes the answer, sent
     * again with its citations when it is complete.
     */
    sources: z
      .object({
        history_id: id,
        citations: z.array(citation),
        found: z.array(foundSection).max(FOUND_LIMIT),
        similar_vectors: z.array(relatedFile),
      })
      .meta({
        id: 'Sources',
        description: 'The found sections, sent before the answer.',
        'x-sdk-names': { history_id: 'id', similar_vectors: 'relatedFiles' },
      }),
    step: z
      .object({ text: z.string() })
      .meta({ id: 'Step', description: 'The current search of the model.' }),
    delta: z
      .object({ text: z.string() })
      .meta({ id: 'Delta', description: "The next part of the answer's text." }),
    done: searchData,
    error: z.object({ message: z.string(), code: z.string() }),
  },
  message: 'Search successful.',
  errors: {
    402: 'The subscription has expired, or the questions are used up.',
    404: 'The question that this one follows up on, or the files that were chosen, do not exist.',
  },
  example: { body: { text: 'How much notice does the lease need?', audio: false } },
});

export const passage = citation
  .omit({ n: true })
  .extend({
    quote: z.string().describe('The sentence that fits best, the exact text of the file.'),
    text: z.string().describe('The passage around the quote.'),
    score: z.number().min(0).max(1).describe('How relevant the passage is, from 0 to 1.'),
  })
  .meta({
    id: 'Passage',
    description: 'A passage of a file that was found for a question.',
    'x-sdk-names': { artifactId: 'fileId' },
  });

export const findPassages = defineRoute('POST /search/passages', {
  summary: 'Find the passages for a question, without an answer and without the history',
  sdk: { passages: { args: ['text'] } },
  notRepeatable: true,
  apiKey: true,
  reads: true,
  body: searchBody.pick({ text: true, keywords: true }),
  data: z.array(passage).max(FOUND_LIMIT),
  message: 'Search successful.',
  errors: { 402: 'The subscription has expired, or the questions are used up.' },
  example: { body: { text: 'How much notice does the lease need?' } },
});

export const transcribe = defineRoute('POST /search/transcribe', {
  summary: 'Transcribe a spoken question: one recording of up to 2 minutes and 25 MB',
  sdk: { transcribe: { handWritten: true } },
  notRepeatable: true,
  apiKey: true,
  reads: true,
  kind: 'upload',
  data: z
    .object({
      /** Empty if there is no speech. */
      text: z.string(),
    })
    .meta({ id: 'Transcript', description: 'The text of a recording.' }),
  errors: {
    402: 'The subscription has expired, or the questions are used up.',
    413: 'The recording is too large or too long.',
    415: 'The form has no playable recording.',
    503: 'Transcription is not available, or the provider is down.',
    507: 'The disk of the server is nearly full.',
  },
});
