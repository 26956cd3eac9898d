import {
  ANSWER_LIMIT,
  artifactSource,
  CHOSEN_FILES_LIMIT,
  fileMeta,
  id,
  keyword,
  MARKDOWN_DEPTH_LIMIT,
  markdownDepth,
  FOUND_LIMIT,
  NEAREST_LIMIT,
  timestamp,
} from '@engram/contract';
import { z } from 'zod';
import { describeIssue } from '../../platform/http/mount.ts';

/** An export with another version cannot be imported. */
export const FORMAT = 'engram-export';
export const VERSION = 1;

/** The paths of the documents in an export. */
export const MEMBERS = {
  manifest: 'manifest.json',
  files: 'files.json',
  history: 'history.json',
  historyText: 'history.md',
  keywords: 'keywords.json',
  profile: 'profile.json',
  profileText: 'profile.md',
  billing: 'billing.json',
} as const;

const CHARACTERS = `${ANSWER_LIMIT.toLocaleString('en-US')} characters`;

export const FILES_FOLDER = 'files/';

export const manifest = z.object({
  format: z.literal(FORMAT),
  version: z.number(),
  madeAt: timestamp,
  /** Such as 'Engram 0.1.0'. */
  madeBy: z.string().max(200),
});

/** A list that is rejected at its first invalid item, because reporting thousands of them is slow. */
const listOf = <T extends z.ZodType>(item: T, maxItems: number) =>
  z
    .array(z.unknown())
    .max(maxItems)
    .transform((values, context) => {
      const items: z.output<T>[] = [];
      for (const [index, value] of values.entries()) {
        const { success, data, error } = item.safeParse(value, { error: describeIssue });
        if (!success) {
          const [issue] = error.issues;
          const path = [index, ...(issue?.path ?? [])];
          context.addIssue({ code: 'custom', path, message: issue?.message ?? '' });
          return z.NEVER;
        }
        items.push(data);
      }
      return items;
    });

const hash = z.string().regex(/^[0-9a-f]{64}$/u);

/** One file. Its bytes are in a separate member. */
export const exportedFile = z.object({
  id,
  name: z.string().max(1000),
  /** The member with its bytes; null if they were lost. */
  path: z.string().max(2000).nullable(),
  sha256: hash,
  size: z.number().int().nonnegative(),
  type: z.string().max(200),
  keywords: listOf(keyword, 1000),
  archived: z.boolean(),
  source: artifactSource,
  device: z.string().max(500).nullable(),
  /** The path in its folder. Missing in older exports. */
  folderPath: fileMeta.shape.path.catch(null),
  modifiedDate: fileMeta.shape.modifiedAt.catch(null),
  /** The page from which it was saved. */
  webAddress: z
    .url({ protocol: /^https?$/u })
    .max(2000)
    .nullable()
    .catch(null),
  createdDate: timestamp,
  updatedDate: timestamp,
});
export type ExportedFile = z.output<typeof exportedFile>;

const locationFields = {
  page: z.int().positive(),
  slide: z.int().positive(),
  sheet: z.string().max(1000),
  row: z.int().positive(),
  startMs: z.int().nonnegative(),
  endMs: z.int().nonnegative(),
  line: z.int().positive(),
};

/** A location in a file, or in a member of an archive. */
const location = z.union([
  z.object({ path: z.string().max(4000) }).extend(z.object(locationFields).partial().shape),
  z.object({ page: locationFields.page }),
  z.object({ slide: locationFields.slide }),
  z.object({ sheet: locationFields.sheet, row: locationFields.row }),
  z.object({ startMs: locationFields.startMs, endMs: locationFields.endMs }),
  z.object({ line: locationFields.line }),
]);

const exportedCitation = z.object({
  n: z.number().int().positive(),
  artifactId: id,
  fileName: z.string().max(1000),
  location,
  quote: z.string().max(ANSWER_LIMIT, `One of its quotes has more than ${CHARACTERS}.`),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
});

const offset = z.number().int().nonnegative();

const exportedSection = exportedCitation.omit({ quote: true }).extend({
  text: z.string().max(ANSWER_LIMIT, `One of its sections has more than ${CHARACTERS}.`),
  highlights: listOf(z.tuple([offset, offset]), 2000),
  score: z.number().min(0).max(1),
  newer: z.object({ artifactId: id, fileName: z.string().max(1000) }).nullable(),
});

/** Longer or deeper answers cannot come from Engram, and parsing them would be slow. */
const exportedAnswer = z
  .string()
  .max(ANSWER_LIMIT, `Its answer has more than ${CHARACTERS}.`)
  .refine(
    (answer) => answer.length > ANSWER_LIMIT || markdownDepth(answer) <= MARKDOWN_DEPTH_LIMIT,
    {
      error: `Its answer has more than ${MARKDOWN_DEPTH_LIMIT} levels of nesting.`,
    },
  );

/** One question with its answer. File ids refer to files of this export. */
export const exportedEntry = z.object({
  id,
  question: z.string().min(1).max(2000),
  answer: exportedAnswer,
  grounded: z.boolean(),
  notice: z.string().max(5000).nullable(),
  citations: listOf(exportedCitation, 2000),
  // Missing in older exports.
  nearest: listOf(exportedCitation, NEAREST_LIMIT).default([]),
  found: listOf(exportedSection, FOUND_LIMIT).default([]),
  related: listOf(
    z.object({
      artifactId: id,
      score: z.number().min(0).max(1),
      line: z.number().int().nonnegative().optional(),
    }),
    1000,
  ),
  recommendations: listOf(z.object({ question: z.string().max(2000), artifactId: id }), 100),
  keywords: listOf(z.string().max(200), 1000),
  chosenFiles: listOf(id, CHOSEN_FILES_LIMIT).default([]),
  latitude: z.number().min(-90).max(90).nullable(),
  longitude: z.number().min(-180).max(180).nullable(),
  ip: z.string().max(100).nullable(),
  device: z.string().max(500).nullable(),
  saved: z.boolean(),
  archived: z.boolean(),
  /** The previous entry of the conversation. */
  follows: id.nullable(),
  // Missing in older exports.
  writtenBy: z.string().max(200).nullable().default(null),
  date: timestamp,
});
export type ExportedEntry = z.output<typeof exportedEntry>;

export const exportedKeyword = z.object({
  keyword,
  active: z.boolean(),
  default: z.boolean(),
  createdDate: timestamp,
});
export type ExportedKeyword = z.output<typeof exportedKeyword>;

const text = z.string().max(1000).nullable().catch(null);

/** The profile and the answers to the questionnaire. Invalid fields are ignored. */
export const exportedProfile = z.object({
  email: z.string().max(1000),
  name: text,
  altEmail: text,
  phone: text,
  country: text,
  photo: z.string().nullable().catch(null),
  createdDate: z.string().max(100),
  questionnaire: listOf(
    z.object({
      questionId: z.string().max(200),
      question: z.string().max(1000),
      optionId: z.string().max(200),
      answer: z.string().max(1000),
    }),
    1000,
  ).catch([]),
});
export type ExportedProfile = z.output<typeof exportedProfile>;
