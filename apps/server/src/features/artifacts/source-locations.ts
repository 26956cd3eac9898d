import { type Location, locationAt } from '@engram/contract';
import type { Segment } from '@engram/extraction';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { artifacts, artifactTexts, TEXT_PART_LENGTH } from './artifacts.tables.ts';

/** A quote from a file's text; offsets in UTF-16 units. */
export interface SourceQuote {
  artifactId: string;
  /** Letter for letter in the file's text. */
  quote: string;
  start: number;
  end: number;
}

interface TextPart {
  part: number;
  text: string;
  segments: Segment[];
}

/** The numbers of the stored parts in which a quote may stand, and its segment may begin. */
function partsOf({ start, end }: SourceQuote): number[] {
  const first = Math.max(0, Math.floor(start / TEXT_PART_LENGTH) - 1);
  const last = Math.floor(end / TEXT_PART_LENGTH);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/**
 * Where the text of a part begins in the whole text. Each part before it may be a unit longer than
 * planned, so the exact place is the one at which the quote fits.
 */
function beginOf(part: number, text: string, { quote, start }: SourceQuote): number {
  const planned = part * TEXT_PART_LENGTH;
  const extra = Array.from({ length: part + 1 }, (_, i) => i).find((units) =>
    text.startsWith(quote, start - planned - units),
  );
  return planned + (extra ?? 0);
}

function locationIn(parts: readonly TextPart[], quote: SourceQuote): Location {
  const wanted = new Set(partsOf(quote));
  const own = parts.filter(({ part }) => wanted.has(part));
  const text = own.map((part) => part.text).join('');
  const textStart = beginOf(own[0]?.part ?? 0, text, quote);
  return locationAt({ text, textStart, segments: own.flatMap(({ segments }) => segments) }, quote);
}

/** Finds where quotes stand in their files, from the stored texts. */
export function createSourceLocations({ db }: Pick<Database, 'db'>) {
  async function readParts(
    userId: string,
    quotes: readonly SourceQuote[],
  ): Promise<Map<string, TextPart[]>> {
    const keys = new Set(
      quotes.flatMap((quote) => partsOf(quote).map((part) => `${quote.artifactId} ${part}`)),
    );
    if (keys.size === 0) return new Map();
    const wanted = [...keys].map((key) => key.split(' '));
    const rows = await db
      .select({
        artifactId: artifactTexts.artifactId,
        part: artifactTexts.part,
        text: artifactTexts.text,
        segments: artifactTexts.segments,
      })
      .from(artifacts)
      .innerJoin(artifactTexts, eq(artifactTexts.artifactId, artifacts.id))
      .where(
        and(
          eq(artifacts.userId, userId),
          sql`(${artifactTexts.artifactId}, ${artifactTexts.part}) IN (
            SELECT * FROM unnest(${sql.param(wanted.map(([id]) => id))}::uuid[],
              ${sql.param(wanted.map(([, part]) => Number(part)))}::int[]))`,
        ),
      )
      .orderBy(asc(artifactTexts.part));
    return Map.groupBy(rows, ({ artifactId }) => artifactId);
  }

  return {
    /** Adds its location to each quote; line 1 where the file was deleted meanwhile. */
    async locate<Quote extends SourceQuote>(
      userId: string,
      quotes: readonly Quote[],
    ): Promise<(Quote & { location: Location })[]> {
      const parts = await readParts(userId, quotes);
      return quotes.map((quote) => ({
        ...quote,
        location: locationIn(parts.get(quote.artifactId) ?? [], quote),
      }));
    },
  };
}

export type SourceLocations = ReturnType<typeof createSourceLocations>;
