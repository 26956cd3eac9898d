import reference from 'virtual:api-reference';

/** A parameter, or a field of a body or an answer. */
export interface Field {
  /** With the names that it stands below, such as `citations[].quote`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

export const languages = ['curl', 'typescript', 'python'] as const;
export type Language = (typeof languages)[number];

/** A call of the API as the documentation shows it. */
export interface ApiCall {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** What opens it. */
  access: string;
  params: Field[];
  query: Field[];
  body: { mediaType: string; type: string; fields: Field[] } | null;
  answer: {
    type: string;
    /** The success message; null where the answer is no JSON. */
    message: string | null;
    /** Whether `nextCursor` and `total` stand beside the data. */
    pages: boolean;
    /** The events of an answer that can be streamed. */
    streams: string[];
    fields: Field[];
    /** The call whose answer has the same fields. */
    sameAs: string | null;
  };
  errors: { status: number; reason: string }[];
  code: Record<Language, string>;
}

/** A section of the documentation with its calls. */
export interface ApiSection {
  id: string;
  title: string;
  calls: ApiCall[];
}

/** The documented calls by section, as the build makes them from the contract. */
export const apiReference: readonly ApiSection[] = reference;

/** The id of a call's place on the page. */
export const placeOf = (callId: string): string => callId.replace('.', '-');
