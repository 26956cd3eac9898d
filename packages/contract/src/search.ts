import { z } from 'zod';
import {
  CHOSEN_FILES_LIMIT,
  FOUND_LIMIT,
  NEAREST_LIMIT,
  QUESTION_LIMIT,
  SUGGESTION_LIMIT,
} from './limits.ts';
import { defineRoute } from './route.ts';
import { id, keyword, location, position, timestamp } from './values.ts';

const offset = z.number().int().nonnegative();

export const citation = z
  .object({
    /** The number that `[n]` in the answer refers to. */
    n: z.number().int().positive(),
    artifactId: id,
    fileName: z.string(),
    /** Where the file stands now in the folder that it came from; null where it came from none. */
    path: z.string().nullable(),
    location,
    /** Letter for letter in the file's text. */
    quote: z.string(),
    /** Offsets of the quote in `GET /artifacts/{id}/text`, in UTF-16 units. */
    start: offset,
    end: offset,
  })
  .meta({
    id: 'Citation',
    description: 'A quote from a file that supports a sentence of an answer.',
    'x-sdk-names': { artifactId: 'fileId' },
  });
export type Citation = z.output<typeof citation>;

const newerFile = z.object({ artifactId: id, fileName: z.string() }).meta({
  id: 'NewerFile',
  description: 'A document that amends or replaces a file.',
  'x-sdk-names': {
    artifactId: 'fileId',
  },
});

/** A section of a file as it was found for a question. */
export const foundSection = citation
  .omit({ quote: true })
  .extend({
    /** The section, letter for letter in the file's text. */
    text: z.string(),
    /** Where the question's words stand in `text`: UTF-16 offsets of their begin and end. */
    highlights: z.array(z.tuple([offset, offset])),
    /** How relevant the section is for the question, between 0 and 1. */
    score: z.number().min(0).max(1),
    /** The newest document that amends or replaces the file; null where there is none. */
    newer: newerFile.nullable(),
  })
  .meta({
    id: 'FoundSection',
    description: 'A section of a file that was found for a question.',
    'x-sdk-names': {
      artifactId: 'fileId',
    },
  });
export type FoundSection = z.output<typeof foundSection>;

/** `found`: the answer quotes sections of files. `written`: a model wrote it, and it was verified. */
export const answerMode = z
  .enum(['found', 'written'])
  .meta({ id: 'AnswerMode', description: 'Whether an answer quotes files, or a model wrote it.' });
export type AnswerMode = z.output<typeof answerMode>;

export const relatedFile = z
  .object({
    artifactId: id,
    artifactGroupId: id,
    artifactArchived: z.boolean(),
    artifact_text: z.string().nullable(),
    createdBy: z.string(),
    createdDate: timestamp,
    fileName: z.string(),
    /** Where the file stands in the folder that it came from; null where it came from none. */
    path: z.string().nullable(),
    filePathS3: z.string(),
    fileType: z.string(),
    presignedUrl: z.string(),
    /** 0 to 1, best first. */
    score: z.number().min(0).max(1),
    size: z.number().int().nonnegative(),
    status: z.string(),
    userId: id,
  })
  .meta({
    id: 'RelatedFile',
    description: 'A file that has to do with a question.',
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
    passages: z.array(
      z
        .object({
          artifactId: id,
          start: z.number().int(),
          end: z.number().int(),
          scores: z.record(z.string(), z.number()),
        })
        .meta({
          id: 'ExplainedPassage',
          description: 'A passage that was considered.',
          'x-sdk-names': {
            artifactId: 'fileId',
          },
        }),
    ),
    terms: z.array(z.string()),
    stages: z.array(
      z
        .object({ name: z.string(), ms: z.number() })
        .meta({ id: 'ExplainedStage', description: 'A step of a search, and how long it took.' }),
    ),
  })
  .meta({ id: 'Explanation', description: 'How an answer was found.' });

/** `files` where the answer quotes them, else the model's name; null where that was not noted. */
export const writtenBy = z.string().nullable();

/** Whether a model wrote an answer. One for which nobody is noted quotes files. */
export const modeOf = (answer: { writtenBy: z.output<typeof writtenBy> }): AnswerMode =>
  answer.writtenBy === null || answer.writtenBy === 'files' ? 'found' : 'written';

export const searchData = z
  .object({
    text: z.string(),
    answers: z.array(z.string()),
    date: timestamp,
    recommendations: z.array(z.string()),
    history_id: id,
    /** The spoken answer as base64 of an MP3, unless the request said `audio: false` or nothing speaks. */
    audio_file: z.string().nullable(),
    similar_vectors: z.array(relatedFile),
    citations: z.array(citation),
    /** False when the files hold no answer. */
    grounded: z.boolean(),
    /** Where they hold none, the passages that come nearest to one, best first; they answer nothing. */
    nearest: z.array(citation).max(NEAREST_LIMIT),
    mode: answerMode,
    /** The sections that were found, best first. Of a written answer they are what the model was given. */
    found: z.array(foundSection).max(FOUND_LIMIT),
    /**
     * Sentences of the answer that could not be verified in the files. In `answers[0]` each stands as it is
     * here, with the mark `[unverified]` behind it.
     */
    unverified: z.array(z.string()),
    /** What the person should know about how the answer came about, such as that the model was down. */
    notice: z.string().nullable(),
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
    .max(QUESTION_LIMIT, { error: `A question can have at most ${QUESTION_LIMIT} characters.` }),
  location: position.optional(),
  ipAddress: z.string().max(100).nullish(),
  device: z.string().max(100).nullish(),
  keywords: z.array(keyword).max(100).default([]),
  /** Only these files are asked; those that are gone are left out. */
  artifactIds: z
    .array(id)
    .max(CHOSEN_FILES_LIMIT, {
      error: `A question can be asked of at most ${CHOSEN_FILES_LIMIT} chosen files.`,
    })
    .default([]),
  /** Whether the answer shall be spoken at once; the web app asks for the sound when it is played. */
  audio: z.boolean().default(true),
  /** Whether the answer shall say which passages it rests on, and how they were found. */
  explain: z.boolean().default(false),
  /** The entry of the history that this question follows up on. */
  after: id.optional(),
});

export const search = defineRoute({
  id: 'search.search',
  method: 'POST',
  path: '/search',
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
  auth: 'user',
  apiKey: true,
  reads: true,
  kind: 'events',
  body: searchBody,
  data: searchData,
  events: {
    /**
     * Comes first, with the id that the question will have in the history and the sections that were
     * found. Where a model writes the answer, it comes again with the citations when that is written.
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
        description: 'What was found, which comes before the answer.',
        'x-sdk-names': { history_id: 'id', similar_vectors: 'relatedFiles' },
      }),
    /** What is being looked for, where a model answers: 'Searching for “deposit”…'. */
    step: z
      .object({ text: z.string() })
      .meta({ id: 'Step', description: 'What is being looked for, where a model answers.' }),
    delta: z
      .object({ text: z.string() })
      .meta({ id: 'Delta', description: "The next part of the answer's text." }),
    done: searchData,
    error: z.object({ message: z.string(), code: z.string() }),
  },
  message: 'Search successful.',
  errors: {
    402: 'The subscription has expired, or the questions are used up.',
    404: 'The question that this one follows up on, or the files that were chosen, are not there.',
  },
  example: { body: { text: 'How much notice does the lease need?', audio: false } },
});

export const transcribe = defineRoute({
  id: 'search.transcribe',
  method: 'POST',
  path: '/search/transcribe',
  summary: 'Write down a spoken question: one recording of at most 2 minutes and 25 MB',
  sdk: { transcribe: { handWritten: true } },
  notRepeatable: true,
  auth: 'user',
  apiKey: true,
  reads: true,
  kind: 'upload',
  data: z
    .object({
      /** What was said; empty where nothing was heard. */
      text: z.string(),
    })
    .meta({ id: 'Transcript', description: 'What was said in a recording.' }),
  errors: {
    402: 'The subscription has expired, or the questions are used up.',
    413: 'The recording is too large or too long.',
    415: 'This is no form with a recording that can be heard.',
    503: 'Nothing here transcribes, or the provider is down.',
    507: 'The disk of the server is nearly full.',
  },
});

export const suggestions = defineRoute({
  id: 'suggestions.suggestions',
  method: 'GET',
  path: '/suggestions',
  summary:
    'What a question may be completed to: earlier questions, keywords, files and their phrases',
  sdk: { suggestions: {} },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  data: z.array(z.string()).max(SUGGESTION_LIMIT),
  message: 'Suggestions fetched successfully',
  example: {},
});

export const recommendedQuestions = defineRoute({
  id: 'recommendations.recommendedQuestions',
  method: 'GET',
  path: '/questions/recommendations',
  summary: "Questions that the person's own files answer",
  sdk: { recommendations: {} },
  auth: 'user',
  apiKey: true,
  kind: 'json',
  data: z.array(z.string()),
  message: 'Recommendations fetched successfully',
  example: {},
});
